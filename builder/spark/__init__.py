"""Building on a cluster: what is large, done by Apache Spark over partitions, and written as Parquet for `weft load`."""
