"""Sheet: several small pictures on one page, with a formula and what they say."""
