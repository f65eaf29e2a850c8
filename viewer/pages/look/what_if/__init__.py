"""What-if: the inspector's tab: changes to a run, and what they bring."""
