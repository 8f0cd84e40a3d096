"""Pai Gow Poker: its procedure, and the defects that it can be given."""
