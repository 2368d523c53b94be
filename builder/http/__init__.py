"""Asking a web service: `throttle` (pace and retries), `client` (one service within limits), `cache_folder`."""
