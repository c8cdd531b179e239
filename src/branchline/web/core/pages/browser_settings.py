"""What a browser may choose for itself: one row for each setting, kept in a cookie of its name."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.web.core.pages.translation import N_


@dataclass(frozen=True)
class BrowserSetting:
    """A setting. Pages find its value in `Visit.settings`."""

    name: str
    label: str = ""  # in the form; empty: it is chosen elsewhere
    choices: tuple[tuple[str, str], ...] = ()  # value, and how it is called; the first is the usual one


SETTINGS = (
    BrowserSetting(
        "theme",
        N_("Colours"),
        (
            ("", N_("same as the system")),
            ("light", N_("light")),
            ("dark", N_("dark")),
            ("contrast", N_("high contrast")),
        ),
    ),
    BrowserSetting("motion", N_("Motion"), (("", N_("same as the system")), ("off", N_("none")))),
    BrowserSetting(
        "confirm",
        N_("Confirm actions"),
        (("touch", N_("on touch screens")), ("always", N_("always")), ("never", N_("never"))),
    ),
    BrowserSetting("sound", N_("Sound"), (("", N_("on")), ("off", N_("off")))),
    BrowserSetting("symbols"),
    BrowserSetting("talk", N_("Chat"), (("", N_("use the table’s setting")), ("off", N_("muted")))),
    BrowserSetting("tutor"),
)

NAMES = tuple(setting.name for setting in SETTINGS)
