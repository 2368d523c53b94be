"""HTTP within limits: `addresses` (checked, and shown without secrets), `limits` (sizes, seconds, offline),
`bounded`, the transport that keeps to them, `retrying` (what may pass is tried again), `rate` (requests and tokens a
minute), `stopping` (threads wait no longer than they are waited for), `service` (what speaks OpenAI's interface) and
`cache_folder` (where what was fetched is kept).
"""
