"""Papers that a laboratory lays beside a run: its own file, known non-conformities, the history of earlier runs."""
