"""Exports of an SKB, one format a module; each ends with a complete output or none."""
