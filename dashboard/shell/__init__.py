"""What surrounds every page: sidebar, upload, code box, theme."""
