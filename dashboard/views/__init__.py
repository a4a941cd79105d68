"""The pages, one file each; `app.py` declares them."""
