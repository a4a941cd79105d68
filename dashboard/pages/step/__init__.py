"""Page 2, Step through: every choice of a method."""
