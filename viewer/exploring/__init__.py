"""What happens when the user explores: wishes become jobs, and their results runs. QtCore only."""
