"""The referee's catalogues, one folder a language: LC_MESSAGES/referee.po, which people edit, and referee.mo, which runs."""
