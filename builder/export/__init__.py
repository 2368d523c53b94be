"""Exports of an SKB, one format a module (`beir`, `graphml`, `neo4j`, `ntriples`, `parquet`); each ends with a
complete output or none. They share `output`, `queries`, `rows` and `terms`.
"""
