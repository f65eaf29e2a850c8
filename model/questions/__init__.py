"""Questions to a model beyond a translation, frozen and without torch; what answers each it says itself."""
