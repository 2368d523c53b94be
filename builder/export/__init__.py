"""Exports of an SKB, one format a module; each ends with a complete output or none.

`beir`, `graphml`, `neo4j`, `ntriples`, `parquet` with `parquet_vectors` and `parquet_sparse`. They share `output` (a
file or folder that is replaced whole), `queries`, `rows` and `terms`.
"""
