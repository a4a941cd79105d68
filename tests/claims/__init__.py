"""What the built-in sets' stories, the lessons and the documents claim, measured over many draws."""
