"""Causes: how the questions of `model.questions.causes` are answered, a file a method."""
