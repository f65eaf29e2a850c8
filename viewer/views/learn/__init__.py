"""The Learn page: experiments."""
