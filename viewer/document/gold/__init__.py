"""Gold links: drafts and edits of them."""
