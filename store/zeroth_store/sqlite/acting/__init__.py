"""Acting on runs: one narrow transaction, on databases of Zeroth and on own ones."""
