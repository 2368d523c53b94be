"""Language models: the service that misbehaves, the cache, budgets, and replies of all kinds."""
