"""The baccarat game: its procedure, and the defects that it can be given."""
