"""Counting cards in pictures of their own: spreads and fans from above, stacks from the side."""
