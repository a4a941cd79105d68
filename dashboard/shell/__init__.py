"""What surrounds every page: the sidebar, bringing own data, the code box, slides, the theme.

Doors: `sidebar.show`, `codebox.show`; the entry script calls them, pages hardly ever do.
"""
