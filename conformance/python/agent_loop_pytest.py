"""Tests of agents in Python: their model traffic is recorded once, and replayed offline; and a whole program is probed.

A plugin of pytest over the command `agent-loop-spec`, which runs on Node and is found in `node_modules/.bin` or on PATH. It has four
fixtures: `replay`, `record`, `expect` and `probe`. Nothing of the program under test changes: its SDK reads the base URL and the key of
the environment, which is that of the test process while a fixture is open.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

import pytest

GET_IT = (
    "the command agent-loop-spec is not there; it runs on Node 22.18 or later:\n"
    "  npm install agent-loop-spec    beside your project, or a packed file of it\n"
    "or say where it is, with agent_loop_command in the settings of pytest, or in the variable AGENT_LOOP"
)

# What stands in the place of a program that is started with an environment: it says which one, and waits until the test is over.
HOLDER = "import json, os, sys; print(json.dumps(dict(os.environ)), flush=True); sys.stdin.read()"

SECONDS = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("agent_loop_command", "how to start the command agent-loop-spec")
    group = parser.getgroup("agent loop")
    group.addoption(
        "--agent-loop-record",
        choices=["once", "all"],
        help="record what replay finds no file of (once), or record everything again (all): calls the providers",
    )


class Command:
    """The command line of the kit."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)

    def start(self, *args: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen([*self.words, *args], stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*self.words, *args], capture_output=True, text=True)


def find_command(config: pytest.Config) -> Command:
    """As the settings say it; else of the nearest `node_modules`, else on PATH. Says how to get it, if it is nowhere."""
    said = config.getini("agent_loop_command") or os.environ.get("AGENT_LOOP", "")
    if said:
        return Command(shlex.split(said))
    here = config.rootpath.resolve()
    for folder in (here, *here.parents):
        found = folder / "node_modules" / ".bin" / "agent-loop-spec"
        if found.exists():
            return Command([str(found)])
    on_path = shutil.which("agent-loop-spec")
    if on_path is None:
        raise pytest.UsageError(GET_IT)
    return Command([on_path])


@pytest.fixture(scope="session")
def agent_loop(pytestconfig: pytest.Config) -> Command:
    """The command of the kit, for whatever has no fixture of its own."""
    return find_command(pytestconfig)


class Traffic:
    """A recorder or a player that is open: while it is, the environment of this process leads to it."""

    def __init__(self, what: str, process: subprocess.Popen[str]) -> None:
        self.what = what
        self.process = process
        self.before = dict(os.environ)

    def open(self) -> None:
        said = self.process.stdout.readline() if self.process.stdout else ""
        if not said.startswith("{"):
            _, complaint = self.process.communicate(timeout=SECONDS)
            pytest.fail(f"{self.what} did not begin:\n{said}{complaint}", pytrace=False)
        inside: dict[str, str] = json.loads(said)
        # PATH and the like stay: only what leads to the kit, and what it takes away so that nothing leads elsewhere.
        for name in self.before.keys() - inside.keys():
            del os.environ[name]
        os.environ.update({name: value for name, value in inside.items() if not name.startswith("npm_")})

    def close(self) -> tuple[int, str]:
        """Ends it, and brings the environment back. Returns its exit code, and what it has to say."""
        os.environ.clear()
        os.environ.update(self.before)
        try:
            _, said = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, said = self.process.communicate()
        return self.process.returncode, said.strip()


class Opener:
    """Opens the traffic of one test, one file at a time, and gives the verdict at its end."""

    def __init__(self, command: Command, folder: Path, mode: str | None) -> None:
        self.command = command
        self.folder = folder
        self.mode = mode
        self.traffic: Traffic | None = None
        self.expected: list[str] = []

    def replay(self, fixture: str | Path, *options: str, record: Sequence[str] = ()) -> None:
        """Answers from a fixture from now on.

        `options` are those of `agent-loop replay`, such as `"--order", "any"`, and `record` those of `agent-loop record`, for when
        pytest is asked to record.
        """
        path = self.path(fixture)
        if self.mode == "all" or (self.mode == "once" and not path.exists()):
            return self.record(fixture, *record)
        self.begin("replay", f"the replay of {path.name}", str(path), *self.expected, *options)

    def record(self, fixture: str | Path, *options: str) -> None:
        """Writes down from now on what the program and the providers say. `options` are those of `agent-loop record`."""
        path = self.path(fixture)
        overwrite = ["--overwrite"] if path.exists() else []
        self.begin("record", f"the recording of {path.name}", "--out", str(path), *overwrite, *options)

    def expect(self, what: str | Path | Mapping[str, Any]) -> None:
        """What the next replay is held to: a file of expectations, or what stands in one."""
        path = self.written(what) if isinstance(what, Mapping) else self.path(what)
        self.expected = ["--expect", str(path)]

    def begin(self, verb: str, what: str, *args: str) -> None:
        self.end()
        process = self.command.start(verb, *args, "--", sys.executable, "-c", HOLDER)
        self.traffic = Traffic(what, process)
        try:
            self.traffic.open()
        except BaseException:
            self.traffic.close()
            self.traffic = None
            raise

    def end(self) -> None:
        """Ends what is open. A replay that was not as recorded, or not as expected, fails the test."""
        if self.traffic is None:
            return
        traffic, self.traffic = self.traffic, None
        code, said = traffic.close()
        if code != 0:
            pytest.fail(f"{traffic.what} failed:\n{said}", pytrace=False)

    def path(self, name: str | Path) -> Path:
        """Beside the test, as its name says it."""
        return self.folder / name

    def written(self, what: Mapping[str, Any]) -> Path:
        # JSON is YAML.
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
            json.dump(what, file)
        return Path(file.name)


@pytest.fixture
def _opener(agent_loop: Command, request: pytest.FixtureRequest) -> Iterator[Opener]:
    opener = Opener(agent_loop, request.path.parent, request.config.getoption("--agent-loop-record"))
    yield opener
    opener.end()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Any:
    """The verdict belongs to the test, and not to what tears it down. One that has failed already says why itself."""
    result = yield
    opener = pyfuncitem.funcargs.get("_opener")
    if isinstance(opener, Opener):
        opener.end()
    return result


@pytest.fixture
def replay(_opener: Opener) -> Any:
    """`replay("talk.json")`: the model calls of this test are answered from a file beside it, strict and offline.

    What was not asked as it was recorded fails the test at its end, with the places that differ.
    """
    return _opener.replay


@pytest.fixture
def record(_opener: Opener) -> Any:
    """`record("talk.json")`: the model calls of this test go to the providers, and are written down without secrets."""
    return _opener.record


@pytest.fixture
def expect(_opener: Opener) -> Any:
    """`expect({"tools": ["get_weather"]})`, before `replay`: what must be called, asked and spent."""
    return _opener.expect


class Probe:
    """Puts a whole program under test: a scripted model does what models and networks do."""

    def __init__(self, command: Command) -> None:
        self.command = command

    def __call__(
        self,
        program: Sequence[str],
        *options: str,
        scenario: str | Sequence[str] = (),
        known_failures: str | Path | None = None,
    ) -> list[dict[str, Any]]:
        """Fails the test if the program breaks a requirement that no list names.

        Returns the results, one for each requirement of each scenario. `options` are those of `agent-loop probe`.
        """
        names = [scenario] if isinstance(scenario, str) else list(scenario)
        chosen = [word for name in names for word in ("--scenario", name)]
        known = [] if known_failures is None else ["--known-failures", str(known_failures)]
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.jsonl"
            reporters = ["--reporter", "pretty", "--reporter", f"json={report}"]
            ended = self.command.run("probe", *chosen, *known, *reporters, *options, "--", *program)
            lines = report.read_text().splitlines() if report.exists() else []
        if ended.returncode != 0:
            pytest.fail(f"{ended.stdout}{ended.stderr}".strip(), pytrace=False)
        return [line["result"] for line in map(json.loads, lines) if "result" in line]


@pytest.fixture
def probe(agent_loop: Command) -> Probe:
    """`probe(["python3", "my_agent.py", "Look around."])`: whether a program executes, sends and reports what it should."""
    return Probe(agent_loop)
