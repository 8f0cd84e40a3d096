"""Seven card stud: two cards down, four up and the last one down, for a pot that the players make up."""
