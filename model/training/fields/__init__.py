"""Fields of training: every option, what follows from the corpus, what a run will take."""
