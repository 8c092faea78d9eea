"""Pure read models: what the panes show, as lines. No Textual, no SQL, no clock."""
