"""What a question offers to choose from: `comparison` of two things, or yes and no."""
