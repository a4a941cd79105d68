"""One visitor's state: the set and settings on screen, the link, what is kept, and long jobs.

Doors: `current.current`, `links`, `cache.BoundedCache`, `job_panel`.
"""
