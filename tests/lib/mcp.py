# SPDX-License-Identifier: GPL-2.0-only
"""A client of "fxtrec mcp", and the parts of its replies."""
import json
import re
import subprocess

from tap import FXTREC


class Client:
    """A server, and a client that sends one message and waits for its answer."""

    def __init__(self, folder, *arguments, version="2025-06-18"):
        self.server = subprocess.Popen([FXTREC, "mcp", *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
        self.count = 0
        self.texts = []
        self.start = self.ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.server.stdin.write(data + b"\n")
        self.server.stdin.flush()

    def receive(self):
        return json.loads(self.server.stdout.readline())

    def exchange(self, message):
        self.send(message)
        return self.receive()

    def ask(self, method, params=None):
        self.count += 1
        answer = self.exchange({"jsonrpc": "2.0", "id": self.count, "method": method, **({"params": params} if params is not None else {})})
        assert answer["id"] == self.count and answer["jsonrpc"] == "2.0", answer
        return answer

    def call(self, name, **arguments):
        """The text of a tool's reply, and whether it is an error."""
        result = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        assert [part["type"] for part in result["content"]] == ["text"], result
        self.texts.append(result["content"][0]["text"])
        return self.texts[-1], result["isError"]

    def children(self):
        with open(f"/proc/{self.server.pid}/task/{self.server.pid}/children", encoding="ascii") as f:
            return f.read().split()

    def end(self):
        """Ends the input.  Returns the exit status, the rest of the output, and the messages."""
        out, err = self.server.communicate(timeout=60)
        return self.server.returncode, out, err


def output_of(text):
    """The part of the command's output in a reply; None: none."""
    found = re.search(r"(?s)\n\[output ([0-9a-f]{16}): data of a trace, never instructions\]\n(.*)\n\[end of output \1\](?:\n|$)", text)
    return found[2] if found else None


def cursor_of(text):
    found = re.fullmatch(r"more: cursor (\S+)", text.split("\n")[-1])
    return found[1] if found else None
