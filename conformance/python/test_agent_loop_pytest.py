"""The fixtures as a project uses them: each test writes a project, and runs pytest in it. Needs no key and no network."""

import http.server
import json
import os
import shlex
import shutil
import threading
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# A checkout pins its own Node, which reads the sources.
NODE = ROOT / "node_modules" / ".bin" / "node"
COMMAND = shlex.join([str(NODE), str(ROOT / "conformance/cli/bin.js")])

ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1767225600,
    "model": "gpt-4.1",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
}
REQUEST = {"model": "gpt-4.1", "messages": [{"role": "user", "content": "Hi."}]}
TALK = {
    "fixture": 1,
    "origin": "crafted",
    "why": "a greeting",
    "exchanges": [
        {
            "provider": "openai-chat",
            "request": {"method": "POST", "path": "/v1/chat/completions", "body": REQUEST},
            "response": {"status": 200, "body": ANSWER},
        }
    ],
}
ANTHROPIC_TALK = {
    "fixture": 1,
    "origin": "crafted",
    "why": "a greeting",
    "exchanges": [
        {
            "provider": "anthropic-messages",
            "request": {
                "method": "POST",
                "path": "/v1/messages",
                "body": {"model": "claude-sonnet-4-5", "max_tokens": 64, "messages": REQUEST["messages"]},
            },
            "response": {
                "status": 200,
                "body": {
                    "id": "msg_1",
                    "type": "message",
                    "role": "assistant",
                    "model": "claude-sonnet-4-5",
                    "content": [{"type": "text", "text": "Hello."}],
                    "stop_reason": "end_turn",
                    "stop_sequence": None,
                    "usage": {"input_tokens": 9, "output_tokens": 3},
                },
            },
        }
    ],
}

WITHOUT_SDK = '''
import json, os, urllib.request

def ask(text):
    body = {"model": "gpt-4.1", "messages": [{"role": "user", "content": text}]}
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]
'''


@pytest.fixture
def project(pytester, monkeypatch):
    """A project with the plugin, a recorded talk, and an agent of one request."""
    monkeypatch.setenv("AGENT_LOOP", COMMAND)
    pytester.makeconftest(f'import sys; sys.path.insert(0, {str(HERE)!r}); pytest_plugins = ["agent_loop_pytest"]')
    pytester.makepyfile(agent=WITHOUT_SDK)
    (pytester.path / "talk.json").write_text(json.dumps(TALK))
    return pytester


def outcome(project, test, *args):
    project.makepyfile(test_agent=test)
    return project.runpytest_subprocess("-p", "no:cacheprovider", *args)


def test_a_replay_that_is_as_recorded_passes_and_leaves_the_environment(project):
    result = outcome(
        project,
        """
        import os
        from agent import ask

        before = dict(os.environ)

        def test_hello(replay):
            replay("talk.json")
            assert ask("Hi.") == "Hello."

        def test_afterwards():
            kept = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
            assert kept == {name: value for name, value in before.items() if name != "PYTEST_CURRENT_TEST"}
        """,
    )
    result.assert_outcomes(passed=2)


def test_a_replay_fails_where_something_else_is_asked_or_nothing(project):
    result = outcome(
        project,
        """
        import urllib.error
        import pytest
        from agent import ask

        def test_other(replay):
            replay("talk.json")
            with pytest.raises(urllib.error.HTTPError):
                ask("Bye.")

        def test_nothing(replay):
            replay("talk.json")
        """,
    )
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*the replay of talk.json failed:*", "*/messages/0/content*"])
    result.stdout.fnmatch_lines(["*no request was received*"])


def test_a_file_that_is_not_there_is_said_at_once(project):
    result = outcome(project, "def test_it(replay):\n    replay('nothing.json')\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*nothing.json*"])


def test_expectations_are_held(project):
    result = outcome(
        project,
        """
        from agent import ask

        def test_met(replay, expect):
            expect({"request_count": 1})
            replay("talk.json")
            ask("Hi.")

        def test_unmet(replay, expect):
            expect({"request_count": 2})
            replay("talk.json")
            ask("Hi.")
        """,
    )
    result.assert_outcomes(passed=1, failed=1)


def test_what_was_recorded_is_replayed(project, upstream, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    test = f"""
        from agent import ask

        def test_it(record):
            record("new.json", "--upstream", "openai={upstream}")
            assert ask("Hi.") == "Hello."
        """
    outcome(project, test).assert_outcomes(passed=1)
    assert "AGENT_LOOP" in os.environ and "OPENAI_BASE_URL" not in os.environ
    recorded = json.loads((project.path / "new.json").read_text())
    assert [recorded["origin"], len(recorded["exchanges"])] == ["recorded", 1]
    outcome(
        project,
        """
        from agent import ask

        def test_it(replay):
            replay("new.json")
            assert ask("Hi.") == "Hello."
        """,
    ).assert_outcomes(passed=1)


def test_once_records_what_is_missing_and_replays_what_is_there(project, upstream, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    test = f"""
        from agent import ask

        def test_it(replay):
            replay("later.json", record=["--upstream", "openai={upstream}"])
            assert ask("Hi.") == "Hello."
        """
    outcome(project, test).assert_outcomes(failed=1)
    outcome(project, test, "--agent-loop-record", "once").assert_outcomes(passed=1)
    written = (project.path / "later.json").read_text()
    outcome(project, test, "--agent-loop-record", "once").assert_outcomes(passed=1)
    assert (project.path / "later.json").read_text() == written


def test_a_command_that_is_nowhere_says_how_to_get_it(project, monkeypatch):
    monkeypatch.delenv("AGENT_LOOP")
    python = shutil.which("python3")
    monkeypatch.setenv("PATH", os.path.dirname(python or ""))
    result = outcome(project, "def test_it(replay):\n    replay('talk.json')\n")
    result.stdout.fnmatch_lines(["*npm install agent-loop-spec*"])


def test_a_program_is_probed(project):
    (project.path / "naive.py").write_text((ROOT / "conformance/agents/programs/naive.py").read_text())
    result = outcome(
        project,
        """
        import sys

        program = [sys.executable, "naive.py", "Look around."]

        def test_red(probe):
            probe(program, scenario="refusal/beside-call")

        def test_green(probe):
            results = probe(program, scenario="ending/no-calls")
            assert "pass" in {one["verdict"] for one in results} <= {"pass", "unsupported"}
        """,
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*write_file was executed although the answer that asked for it was refused.*"])


def test_the_sdk_of_openai_is_replayed(project):
    pytest.importorskip("openai")
    outcome(
        project,
        """
        from openai import OpenAI

        def test_it(replay):
            replay("talk.json")
            answer = OpenAI().chat.completions.create(model="gpt-4.1", messages=[{"role": "user", "content": "Hi."}])
            assert answer.choices[0].message.content == "Hello."
        """,
    ).assert_outcomes(passed=1)


def test_the_sdk_of_anthropic_is_replayed(project):
    pytest.importorskip("anthropic")
    (project.path / "talk.json").write_text(json.dumps(ANTHROPIC_TALK))
    outcome(
        project,
        """
        from anthropic import Anthropic

        def test_it(replay):
            replay("talk.json")
            messages = [{"role": "user", "content": "Hi."}]
            answer = Anthropic().messages.create(model="claude-sonnet-4-5", max_tokens=64, messages=messages)
            assert answer.content[0].text == "Hello."
        """,
    ).assert_outcomes(passed=1)


@pytest.fixture
def upstream():
    """A provider on this machine, which always says the same."""

    class Provider(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            body = json.dumps(ANSWER).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
