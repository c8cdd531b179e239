"""A draft as files to be saved: one by one, in an archive, or in the format of simulatedScience's map generator."""

from __future__ import annotations

from branchline.workshop import Draft, archive, map_generator

ARCHIVE = "board.zip"
MAP_GENERATOR = "map-generator.zip"
WHOLE = (ARCHIVE, MAP_GENERATOR)
"""What is offered besides the files of the board."""


def exported(draft: Draft, name: str) -> bytes | None:
    """Return what is saved under a name, or None if there is no such file.

    Raise `DraftError` for what a format cannot hold.
    """
    folder = draft.settings.get("id")
    if name == ARCHIVE:
        return archive.pack(
            draft.files(), folder=folder if isinstance(folder, str) and folder.isidentifier() else "board"
        )
    if name == MAP_GENERATOR:
        return archive.pack(map_generator.write(draft), folder="map")
    text = draft.files().get(name)
    return None if text is None else text.encode()
