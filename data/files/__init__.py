"""Task sets as files: every format that can be read or written, its limits, and its words of refusal.

Doors: `formats.read`, `write`, `dump`; `limits` for what is too large; `task_names` for what a task may be called.
"""
