"""Page 5, Compare: all methods over all repeats of a run."""
