"""Rankers: `single_signal` (one signal, and naive hybrid), `hybrid` (the fusion), `thesis` (that of five features),
`entity_hybrid`,
`node_documents` (vss and multi-vss); `composed` puts a method together.
"""
