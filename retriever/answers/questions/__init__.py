"""Questions as they are asked: `directly` leaves out what only says that something is asked, `completed` asks for the
end that a typed sentence leaves open, `kin_questions` asks who somebody's kin is, `terms` are what one wants explained.
"""
