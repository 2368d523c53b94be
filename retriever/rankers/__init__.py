"""Rankers: `single_signal` (one signal, and naive hybrid), `hybrid` (the fusion), `entity_hybrid`."""
