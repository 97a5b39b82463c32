"""The parser over HTTP (extra ``serve``): ``app.create_app`` makes the application, ``starccg serve`` runs it."""
