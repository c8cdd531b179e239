"""Where a server says that it is, to the person at its terminal and to phones in the network."""

from __future__ import annotations

import pytest

from branchline.web.core.settings import Settings
from branchline.web.serving.server import code_for, network_address, reached

HERE = "http://127.0.0.1:8000/"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings(), f"{HERE}, for this computer only; --host 0.0.0.0 opens it to your network"),
        (Settings(network="http://192.168.1.5:8000"), f"{HERE} and, in your network, at http://192.168.1.5:8000/"),
        (Settings(url="https://play.example.org"), f"https://play.example.org/, served from {HERE}"),
    ],
)
def test_the_line_at_the_start_names_what_others_can_open(settings: Settings, said: str) -> None:
    assert reached(settings, HERE) == said
    assert bool(code_for(settings)) == (said != reached(Settings(), HERE))


def test_only_a_server_that_listens_to_others_has_an_address_in_the_network() -> None:
    for host in ("127.0.0.1", "::1", "localhost", "play.example.org", "nonsense:"):
        assert network_address(host) == "", host
    assert network_address("192.168.1.5") == "192.168.1.5"
    assert network_address("2001:db8::5") == "[2001:db8::5]"
    assert not network_address("0.0.0.0").startswith("127.")
