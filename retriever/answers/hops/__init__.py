"""Questions over several hops, answered hop by hop.

`nested` finds what a question describes without naming it, `kin` takes words such as "father-in-law" apart, `bridge`
answers the description first and the question with that answer in its place, `asking` asks pages, `unpaged` reads of
what has no page. `kinship` finds whom a text says to be somebody's father or wife (`kin_names` where a name stands),
`relatives` who that is, `roles` who has a role by that person's page, `terms` who held one in a year, `entities` what a
name means. `ranking` ranks by the way there.
"""
