"""What several pages share: the sidebar, the figure card, the player, own data, the list of runs.

Door: `figure_card.figure`, through which every figure reaches the screen with its title, table and text alternative.
"""
