"""Progress of training: what a run tells, frame by frame, and its log."""
