"""Pages of Wikipedia by its API: `names` (what a user writes), `pages`, `client`, `cache`, `answers`."""
