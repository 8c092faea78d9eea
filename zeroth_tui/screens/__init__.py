"""Screens: they await the browser, hold what is shown and hand it to the widgets."""
