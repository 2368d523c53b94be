"""Questions over several hops, answered hop by hop.

`nested` finds what a question describes without naming it, `kin` takes words such as "father-in-law" apart, `bridge`
answers the description first and the question with that answer in its place, `roles` finds who has a
role by that person's page, `ranking` ranks by the way there.
"""
