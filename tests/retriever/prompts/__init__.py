"""What language models are asked, and how odd replies are read."""
