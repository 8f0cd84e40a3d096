"""What the bench does for each directive of the table software (the table in docs/architecture.md)."""
