"""Page 8, Draw: tasks in the plane, drawn by hand."""
