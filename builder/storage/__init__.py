"""Where a build writes: `working_copy` (KB.skb.part, one atomic replace), `leftover` (what a stopped build
left), `commits` (what is kept meanwhile), `lock` (one builder at a time), `bulk_indexes`, `fingerprints`;
`process_pool` and `worker` parse documents in processes of their own.
"""
