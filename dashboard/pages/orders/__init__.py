"""Page 4, Orders: does the order matter, and does the bound choose well?"""
