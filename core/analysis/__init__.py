"""What a curriculum is worth: all orders, the best one, transfer, projections, patterns, and how much is noise.

Doors: `all_orders.every_order`, `best_order`, `ranking`, `transfer`, `patterns`, `projection`, `noise`, `ranks`.
"""
