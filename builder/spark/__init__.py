"""Building on a cluster: Apache Spark does what is large over partitions, and writes Parquet for `weft load`."""
