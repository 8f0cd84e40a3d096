"""Evidence: the event vocabulary, the hash-chained journal and its attachments. Imports nothing of ours."""
