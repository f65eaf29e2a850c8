"""The form of training: fields, their checks, and what follows from them."""
