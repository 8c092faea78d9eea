"""The side index in the cache folder: order, counts and children of all runs, without a scan."""
