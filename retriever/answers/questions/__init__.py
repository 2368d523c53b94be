"""Questions as they are asked: `directly` leaves out what only says that something is asked, `completed` asks for the
end that a typed sentence leaves open, `terms` are what one wants explained.
"""
