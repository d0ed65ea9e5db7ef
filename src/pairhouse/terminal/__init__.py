"""The tables in a terminal: drawing, keys, play, and rounds told as stories."""
