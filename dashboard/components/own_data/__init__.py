"""TableImport own data: the step in the main area where a table becomes tasks, with a live preview."""
