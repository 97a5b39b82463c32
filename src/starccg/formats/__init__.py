"""The formats that derivations are read from and written to: one file a format, one registry."""
