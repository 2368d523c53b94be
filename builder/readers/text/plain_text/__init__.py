"""Plain text: `page_breaks` joins printed pages, `runs` are its lines between blank ones, `blocks` what these are."""
