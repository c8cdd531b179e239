"""The server that assistants talk to, by the Model Context Protocol (`modelcontextprotocol.io`, official SDK)."""

from __future__ import annotations

import functools
from collections.abc import Callable

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from branchline import __version__
from branchline.assistants.tables import AssistantTables
from branchline.assistants.tools import all_tools
from branchline.errors import BranchlineError

INSTRUCTIONS = """branchline: railway-route board games. Read the rules of a board with read_rules and its map with
read_map. Begin a game with new_table, for instance board "europe" and players ["me", "planner"]; look and play with
the key of your seat until the game is over. score_sheet, ask_referee and notate_game help at a real table; hint,
check_move, puzzle and review_game teach."""


def make_server(seed: int | None = None) -> MCPServer:
    """Return a server with tables of its own. With a seed its deals can be predicted: for tests."""
    server = MCPServer("branchline", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    for tool in all_tools(AssistantTables(seed)):
        server.add_tool(_refusing(tool))
    return server


def _refusing(tool: Callable[..., object]) -> Callable[..., object]:
    """Return a tool whose refusals are reported to the assistant as they are to people."""

    @functools.wraps(tool)
    def called(*given: object, **named: object) -> object:
        try:
            return tool(*given, **named)
        except BranchlineError as refused:
            raise ToolError(str(refused)) from None

    return called
