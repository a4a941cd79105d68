"""What a release carries: the licences of all that is installed with it, and its bill of materials."""
