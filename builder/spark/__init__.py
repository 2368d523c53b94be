"""Building on a cluster: Apache Spark does what is large over partitions, and writes Parquet for `weft load`.

Read `job` first, then `inputs`, `documents`, `names`, `terms`, `fact_lines` and `facts` in the order of work;
`session`, `places`, `arrow` and `tables` serve them. `load` makes an SKB of what the job wrote.
"""
