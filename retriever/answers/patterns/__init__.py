"""Questions of one pattern, which a rule answers where it finds what it needs.

`definitions` are for who, what or where something is, `hours` for opening hours, which `times` reads and `when`
compares with the time that is asked for, `steps` for how something is done, `contacts` for telephone numbers and
addresses, `facts` for what a relation or attribute says, `either` for two words that no page is about, of which one is
said, `succession` for who came before or after whom, `kin_trades` for what somebody's father or mother did,
`whose_life` for who was born or died somewhere; `spans` cuts the ranker's choice to what a question asks for.
"""
