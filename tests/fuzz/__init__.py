"""Files that nobody would write, in all formats that are read: `python -m tests.fuzz` tries thousands."""
