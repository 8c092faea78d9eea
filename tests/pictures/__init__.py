"""The pictures of the documents, drawn from the demo: `make screenshots`, always the same."""
