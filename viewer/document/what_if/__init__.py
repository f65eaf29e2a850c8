"""What-if: an altered run beside its baseline, and the changes being typed."""
