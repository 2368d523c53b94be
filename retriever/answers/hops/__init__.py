"""Questions over several hops, answered hop by hop.

`nested` finds what a question describes without naming it (a `description`), by `clauses` too, `bridge` answers the
description first (a `hop`) and the question with that answer in its place, `asking` asks pages, `unpaged` reads of what
has no page. `kin` finds who is somebody's father or wife, `roles` who has a role by that person's page, `terms` who
held one in a year, `entities` what a name means. `ranking` ranks by the way there.
"""
