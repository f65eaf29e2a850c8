"""Inside a model of `transformers`: where its parts lie, and how what it computes is seen and changed."""
