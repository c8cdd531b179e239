"""Each adapter with the real library, where it is installed: a short training, or games as the library plays them."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import branchline
from branchline.rules import kernel

pytest.importorskip("gymnasium")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code"),
    pytest.mark.filterwarnings("ignore"),  # of other people's libraries
]
ADAPTERS = Path(branchline.__file__).parent / "envs" / "adapters"
DOCS = Path(__file__).parents[2] / "docs"


def test_no_adapter_is_longer_than_a_page() -> None:
    for file in ADAPTERS.glob("*.py"):
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        code = [line for line in lines if not line.startswith(("from ", "import ", '"""'))]
        assert len(code) <= 45, file.name


def examples() -> list[Any]:
    """The pieces of the pages that need a library, by the first module that they name."""
    found = []
    for page in ("environments.md", "assistants.md"):
        for piece in re.findall(r"^```py\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.M | re.S):
            [module] = re.findall(r"^from branchline\.envs\.adapters[. ](?:import )?(\w+)", piece, re.M) or ["client"]
            found.append(pytest.param(piece, id=module))
    return found


LIBRARY = {"sb3": "sb3_contrib", "rllib": "ray.rllib.algorithms.ppo", "client": "openenv", "verifiers": "verifiers.v1"}


@pytest.mark.parametrize("piece", examples())
def test_the_examples_of_the_pages_run(
    piece: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With fewer steps than shown; RLlib's is not trained here, as it takes minutes."""
    module = request.node.callspec.id
    if module == "rllib":
        pytest.importorskip("torch")
        pytest.importorskip("tree")
    if module != "cleanrl":
        pytest.importorskip(LIBRARY.get(module, module))
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    shorter = piece.replace("200_000", "1").replace("n_steps=128", "n_steps=4").replace("algorithm.train()", "")
    if module != "client":  # which needs a server, see below
        exec(compile(shorter, module, "exec"), {"__name__": "example"})


def test_every_adapter_has_an_example() -> None:
    shown = {one.id for one in examples()}
    assert shown == {file.stem for file in ADAPTERS.glob("*.py")} - {"__init__"} | {"client"}


def test_stable_baselines_masks_and_learns() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from stable_baselines3.common.vec_env import VecMonitor

    from branchline.envs.adapters.sb3 import SeatVecEnv

    env = SeatVecEnv(16, "berlin", opponents="random", seed=1)
    model = contrib.MaskablePPO("MlpPolicy", VecMonitor(env), n_steps=32, batch_size=256, n_epochs=1, seed=1)
    model.learn(1024)
    seen, played = env.reset(), 0
    while played < 3:
        actions, _ = model.predict(seen, action_masks=np.stack(env.env_method("action_masks")), deterministic=True)
        seen, _, done, infos = env.step(actions)
        assert not env.batch.illegal.any()
        played += int(done.sum())
        assert all("terminal_observation" in infos[place] for place in np.flatnonzero(done))


def test_torchrl_rolls_out_with_masks() -> None:
    pytest.importorskip("torchrl")
    from branchline.envs.adapters import torchrl

    env = torchrl.env(4, "berlin", opponents="random")
    rollout = env.rollout(200, break_when_any_done=False)
    assert rollout.shape == (4, 200) and bool(rollout["next", "done"].any())
    taken = rollout["action_mask"].gather(-1, rollout["action"].unsqueeze(-1))
    assert bool(taken.all()), "only legal actions are drawn"
    assert float(rollout["next", "reward"].abs().max()) == 1.0


def test_tianshou_collects_with_masks() -> None:
    pytest.importorskip("tianshou")
    from tianshou.data import Batch as Data

    from branchline.envs.adapters import tianshou

    envs = tianshou.envs(3, "berlin", opponents="random")
    seen, _ = envs.reset(seed=1)
    over = np.zeros(3, bool)
    for _ in range(300):
        masks = Data(list(seen)).mask if isinstance(seen, np.ndarray) else seen.mask
        seen, _, over, _, infos = envs.step(np.asarray(masks).argmax(axis=1))
        assert not any("illegal" in info for info in infos)
        if over.any():
            break
    assert over.any()


def test_cleanrl_sees_plain_arrays_masks_and_episodes() -> None:
    from branchline.envs.adapters import cleanrl

    envs = cleanrl.envs(4, "berlin", opponents="greedy")
    seen, info = envs.reset(seed=1)
    ended = 0
    for _ in range(150):
        assert seen.shape == envs.observation_space.shape
        seen, _, over, _, info = envs.step(info["action_mask"].argmax(axis=1))
        ended += int(over.sum())
        assert ("episode" in info) == bool(over.any())
    assert ended


def test_rllib_trains_with_its_own_masking() -> None:
    pytest.importorskip("ray")
    pytest.importorskip("tree")
    ppo = pytest.importorskip("ray.rllib.algorithms.ppo")
    from branchline.envs.adapters import rllib

    module = rllib.register()
    config = (
        ppo.PPOConfig()
        .environment(rllib.NAME, env_config={"board": "berlin", "opponents": "random"}, disable_env_checking=True)
        .rl_module(rl_module_spec=module)
        .env_runners(num_env_runners=0)
        .training(train_batch_size=400, minibatch_size=128, num_epochs=1)
    )
    found: Any = config.build_algo().train()
    assert found["env_runners"]["num_env_steps_sampled_lifetime"] >= 400


def test_textarena_plays_a_game_and_a_secret_stays_one() -> None:
    ta = pytest.importorskip("textarena")
    from branchline.envs.adapters.textarena import TrainGameEnv

    env: Any = TrainGameEnv("berlin")
    env.first = -1
    env.reset(num_players=2, seed=3)
    done, kept = False, ""
    while not done:
        seat, seen = env.get_observation()
        assert not any(kept and kept in message for _, message, kind in seen if seat != env.first)
        legal = env.game.legal(seat)
        if not kept:
            done, _ = env.step("[I do not know]")
            assert env.state.current_player_id == seat
            kept, env.first = legal[0], seat
        done, _ = env.step(legal[0])
    rewards, _ = env.close()
    assert sorted(rewards.values()) in ([-1, 1], [1, 1])
    assert ta.Env in type(env).__mro__


def test_minari_keeps_games_of_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    from branchline.envs.adapters import minari as adapter

    made = adapter.export("branchline/berlin-greedy-v0", "berlin", "greedy", 3, seed=5, opponents="random")
    kept = minari.load_dataset("branchline/berlin-greedy-v0")
    assert kept.total_episodes == made.total_episodes == 3
    episode = next(iter(kept.iterate_episodes()))
    assert len(episode.actions) == len(episode.rewards) == len(episode.observations["observation"]) - 1
    assert all(episode.observations["action_mask"][n, action] for n, action in enumerate(episode.actions))


def test_jax_steps_are_pure_functions() -> None:
    jax = pytest.importorskip("jax")
    from branchline.envs.adapters.jax import PureBatch

    pure = PureBatch("berlin", 3, seed=4)
    begun, seen = pure.reset()
    step = jax.jit(lambda games, mask: pure.step(games, mask.argmax(axis=1)))
    one, told = step(begun, seen[1])
    two, told_again = step(begun, seen[1])
    assert (one.states == two.states).all() and (told[0] == told_again[0]).all()
    batch = branchline.envs.Batch("berlin", 3, seed=4)
    for _ in range(150):
        begun, seen = step(begun, seen[1])
        batch.step(batch.mask.argmax(axis=1))
        assert (np.asarray(seen[0]) == batch.observation).all() and (np.asarray(seen[4]) == batch.reward).all()


def test_pufferlib_masks_and_renews() -> None:
    pytest.importorskip("pufferlib")
    import pufferlib.pytorch
    import pufferlib.vector
    import torch

    from branchline.envs.adapters.pufferlib import MaskedPolicy, SeatGames

    how = {"games": 32, "board": "berlin", "opponents": "random"}
    many = pufferlib.vector.make(SeatGames, backend=pufferlib.vector.PufferEnv, env_kwargs=how)
    policy, ended = MaskedPolicy(many.driver_env), 0
    seen, _ = many.reset(seed=1)
    for _ in range(150):
        with torch.no_grad():
            logits, _ = policy.forward_eval(torch.as_tensor(seen))
        actions, _, _ = pufferlib.pytorch.sample_logits(logits)
        seen, _, over, *_ = many.step(actions.numpy())
        ended += int(over.sum())
        assert not many.driver_env.batch.illegal.any()
    assert ended


def test_openenv_serves_a_game_to_its_own_client() -> None:
    pytest.importorskip("openenv")
    import uvicorn
    from openenv.core.generic_client import GenericEnvClient

    from branchline.envs.adapters import openenv

    server = uvicorn.Server(uvicorn.Config(openenv.app("berlin", opponents="random"), port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as client:
        told = client.reset(seed=3)
        assert client.reset(seed=3).observation == told.observation
        assert client.step({"text": "nonsense"}).observation["text"].startswith("Refused: ")
        while not told.done:
            told = client.step({"text": f"I think.\n{told.observation['legal'][0]}"})
        assert told.reward in (-1.0, 0.0, 1.0) and "the game is over" in told.observation["text"]
    server.should_exit = True
    thread.join(10)


def last_legal(prompt: str) -> str:
    return prompt.rpartition("you may: ")[2].splitlines()[0].split("; ")[-1]


@contextmanager
def scripted_model(answers: list[str]) -> Iterator[str]:
    """A server that speaks like a provider of models: it gives one answer after the other, the last legal action for
    an empty one.
    """
    left = iter(answers)

    class Model(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            text = next(left) or last_legal(asked["messages"][-1]["content"])
            part = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": [part]}
            body = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()


def test_verifiers_talks_with_a_model_and_rewards_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vf = pytest.importorskip("verifiers.v1")
    pytest.importorskip("uv")  # starts the chat that comes with the library
    from branchline.envs.adapters.verifiers import GamesEnv, GamesEnvConfig

    exported = "from branchline.envs.adapters.verifiers import Games, GamesEnv\n__all__ = ['Games', 'GamesEnv']\n"
    (tmp_path / "train_games.py").write_text(exported)
    monkeypatch.syspath_prepend(str(tmp_path))

    async def play(address: str) -> Any:
        player = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
        env = GamesEnv(
            GamesEnvConfig(taskset={"id": "train-games", "board": "berlin", "opponents": "random"}, player=player)
        )
        client = vf.EvalClientConfig(base_url=address, api_key_var="NO_KEY_IS_NEEDED")
        async with env.serving():
            (task,) = env.taskset.take(1)
            return await env.run_episode(task, vf.ModelContext(model="scripted", client=client))

    with scripted_model(["", "nonsense", "Let me think.\nclaim Atlantis–Berlin", "no"]) as address:
        episode = asyncio.run(play(address))
    assert episode.ok, episode.errors
    (trace,) = episode.traces
    assert trace.num_turns == 4 and trace.reward == -1.0, "an answer that is one, then three that are not"
