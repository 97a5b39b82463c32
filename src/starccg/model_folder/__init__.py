"""Read and write model folders.

A model is a folder of plain files with a ``model.json`` that says what it is and has the SHA-256 of every other file.

| module | kind of folder |
|---|---|
| :mod:`.manifest` | any: ``model.json``, checksums |
| :mod:`.tagger` | ``tagger``: a supertagger |
| :mod:`.global_model` | ``global``: a global model |
| :mod:`.parts` | ``parser``: a grammar, a folder ``tagger`` and perhaps a folder ``global`` |
| :mod:`.find` | models by name |
"""
