"""The Textual app that explores runs."""
