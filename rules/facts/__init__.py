"""From records to facts: one tracker for each side of the table, and the machine that runs them."""
