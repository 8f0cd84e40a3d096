"""The games that the reference table software runs."""
