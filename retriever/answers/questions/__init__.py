"""Questions as they are asked: `directly` leaves out what only says that something is asked, `terms` are what one wants
explained.
"""
