"""Answers about causes: how what `model.questions.causes` asks is worked out; a file a method."""
