"""Effects: what carrying over from A into B did, place by place."""
