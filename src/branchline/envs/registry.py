"""The environments by id, as Gymnasium and PettingZoo know them: importing this module registers all editions.

    import gymnasium
    from branchline.envs import registry

    gymnasium.register_envs(registry)
    env = gymnasium.make("branchline/europe-v1", seats=3, opponents="greedy")

PettingZoo has ids of its own from version 1.27 on: `pettingzoo.make("aec", "branchline/europe_v1", seats=3)`.
"""

from __future__ import annotations

from contextlib import suppress

from branchline.boards import builtin_boards
from branchline.envs.layout import ID_VERSION

with suppress(ImportError):
    import gymnasium

    for _board in builtin_boards():
        gymnasium.register(
            f"branchline/{_board}-v{ID_VERSION}",
            "branchline.envs.single:SeatEnv",
            vector_entry_point="branchline.envs.vector:SeatVectorEnv",
            kwargs={"board": _board},
        )

with suppress(ImportError):
    from pettingzoo.env_registry.registration import register

    for _board in builtin_boards():
        register("aec", f"branchline/{_board}_v{ID_VERSION}", "branchline.envs.aec:env", kwargs={"board": _board})
