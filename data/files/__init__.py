"""Task sets as files: reading, checking, writing."""
