"""Asking a web service: `throttle` (pace and retries), and `client` (one service within limits)."""
