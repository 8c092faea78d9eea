"""What was done to runs from here: entries, the file that keeps them, and how to undo one."""

from zeroth_tui.journal.entry import Entry
from zeroth_tui.journal.file import Journal, JournalError, user_name
from zeroth_tui.journal.undo import undo_of

__all__ = ["Entry", "Journal", "JournalError", "undo_of", "user_name"]
