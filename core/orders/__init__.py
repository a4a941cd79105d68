"""All orders of the tasks, or a stated sample: bound and test error of each, the best one, and how much is noise.

Doors: `all_orders.every_order`, `best_order`, `ranking`, `orders_by_draw`, `transfer`.
"""
