"""Everything at rest: built-in task sets, reading and writing task sets, the paper's published figures."""
