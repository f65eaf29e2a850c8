"""The window: actions, menus, dialogs, notices, keys, what is remembered, the language."""
