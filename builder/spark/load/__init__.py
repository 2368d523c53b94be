"""`weft load`: `knowledge_base` makes an SKB of the tables that `parquet_tables` reads."""
