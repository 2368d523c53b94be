"""Dense vector spaces: `rows` (compared with vectors exactly) and `ann` (an approximate index)."""
