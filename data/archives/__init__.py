"""Files that hold task sets as they are: NPZ, folders of text files, a stored screen; and the door to all formats.

Doors: `formats.read`, `formats.write` and `formats.dump`.
"""
