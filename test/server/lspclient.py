"""Drives the language server as an editor does, over its standard input and output or over TCP."""

import json
import os
import queue
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

PROGRAM = os.environ.get("KERNELSCOPE", str(Path(__file__).parents[2] / "build/bin/kernelscope"))


class Error(Exception):
    """An answer that is an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data")


class Client:
    """One session with `kernelscope lsp` or another server `program`, or with that of the client `beside`.

    Over TCP the server is given `token`, or prints one. Leaving its `with` block shuts the server down and looks that it ends well.
    """

    def __init__(self, *arguments, program=None, tcp=False, beside=None, token=None, encodings=("utf-16",), capabilities=None,
                 options=None, initialize=True, folder=None):
        self.answers = {}
        self.notifications = queue.Queue()
        self.diagnostics = {}
        self.own_requests = []
        self.progress = []
        self.messages = []
        self.unasked = []
        self.changed = threading.Condition()
        self.last_id = 0
        self.encoding = encodings[0]
        self.closed = False
        self.token = token
        self.is_beside = beside is not None
        command = [program, *arguments] if program else [PROGRAM, "lsp", *arguments]
        if tcp or beside:
            if beside:
                self.process, self.port, self.token = beside.process, beside.port, beside.token
            else:
                environment = {**os.environ, **({"KERNELSCOPE_TOKEN": token} if token else {})}
                self.process = subprocess.Popen(command + ["--port", "0"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                                env=environment)
                listening = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)(?:, token (\w+))?\n",
                                         self.process.stderr.readline().decode())
                self.port, self.printed_token = int(listening[1]), listening[2]
                self.token = token or self.printed_token
            self.socket = socket.create_connection(("127.0.0.1", self.port))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.writer = self.reader = self.socket.makefile("rwb", buffering=0)
        else:
            self.socket = None
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.writer, self.reader = self.process.stdin, self.process.stdout
        self.reader = open(os.dup(self.reader.fileno()), "rb")
        threading.Thread(target=self._read, daemon=True).start()
        if initialize:
            self.initialize(encodings, capabilities, options, folder)

    def initialize(self, encodings=("utf-16",), capabilities=None, options=None, folder=None):
        wanted = {
            "general": {"positionEncodings": list(encodings)},
            "textDocument": {
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                "hover": {"contentFormat": ["markdown"]},
                "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
            },
            **(capabilities or {}),
        }
        result = self.request("initialize", {"processId": None, "rootUri": Path(folder).as_uri() if folder else None,
                                             "capabilities": wanted,
                                             "initializationOptions": {"token": self.token, **(options or {})}})
        self.notify("initialized", {})
        return result

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None and not self.closed:
            self.close()
        if self.is_beside:
            return self.disconnect()
        self.process.kill()
        self.process.wait()

    def disconnect(self):
        """Goes without a word, over TCP."""
        self.closed = True
        self.socket.shutdown(socket.SHUT_RDWR)
        for end in self.writer, self.socket:
            end.close()

    def close(self):
        """Shuts down; the exit code of a server on standard input and output."""
        self.request("shutdown")
        self.notify("exit")
        self.closed = True
        if self.socket is None:
            code = self.process.wait(5)
            assert code == 0, f"exit code {code} after shutdown"
            return code

    # Messages

    def _next_body(self):
        """None at the end, also if that is inside a message."""
        length = None
        try:
            while (line := self.reader.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            body = self.reader.read(length or 0)
        except ConnectionResetError:
            return None
        return body if length is not None and len(body) == length else None

    def _read(self):
        while (body := self._next_body()) is not None:
            message = json.loads(body)
            with self.changed:
                self._take(message)
                self.changed.notify_all()
        with self.changed:
            self.closed = True
            self.changed.notify_all()

    def _take(self, message):
        if "method" not in message:
            if message["id"] is None:
                self.unasked.append(message)
            else:
                self.answers.setdefault(message["id"], []).append(message)
        elif "id" in message:
            self.own_requests.append(message)
            self.send({"id": message["id"], "result": None})
        elif message["method"] == "textDocument/publishDiagnostics":
            self.diagnostics.setdefault(message["params"]["uri"], []).append(message["params"])
        elif message["method"] == "$/progress":
            self.progress.append(message["params"])
        elif message["method"] == "window/showMessage":
            self.messages.append(message["params"])

    def send_bytes(self, data):
        self.writer.write(data)
        self.writer.flush()

    def send(self, message, ensure_ascii=False):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=ensure_ascii).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params=None):
        self.send({"method": method, "params": params})

    def ask(self, method, params=None, id=None):
        """Sends a request and does not wait; its id."""
        if id is None:
            self.last_id += 1
            id = self.last_id
        self.send({"id": id, "method": method, "params": params})
        return id

    def wait_until(self, true, what, timeout=20):
        deadline = time.monotonic() + timeout
        with self.changed:
            while not (result := true()):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"no {what} in {timeout} s")
                self.changed.wait(left)
            return result

    def answer(self, id, timeout=20):
        message = self.wait_until(lambda: self.answers.get(id), f"answer to request {id}", timeout)[0]
        if "error" in message:
            raise Error(message["error"])
        return message["result"]

    def request(self, method, params=None, timeout=20):
        return self.answer(self.ask(method, params), timeout)

    # Documents

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": "ttgir", "version": version, "text": text}})

    def change(self, uri, version, *changes):
        """Each change is a text, for all of the document, or (start, end, text) with (line, character) places."""
        def value(change):
            if isinstance(change, str):
                return {"text": change}
            start, end, text = change
            return {"range": {"start": place(*start), "end": place(*end)}, "text": text}
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                               "contentChanges": [value(change) for change in changes]})

    def close_document(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def wait_diagnostics(self, uri, version, timeout=20):
        """The diagnostics of that version of a document."""
        def found():
            return [entry for entry in self.diagnostics.get(uri, []) if entry.get("version") == version]
        return self.wait_until(found, f"diagnostics of {uri} version {version}", timeout)[-1]["diagnostics"]

    def hover(self, uri, line, character, timeout=20):
        return self.request("textDocument/hover", at(uri, line, character), timeout)

    # Processes

    def children(self, subcommand):
        """The pids of the server's children that run `kernelscope SUBCOMMAND`."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            if parent == self.process.pid and len(words) > 1 and words[1] == subcommand.encode():
                found.append(int(entry.name))
        return found

    def child(self, subcommand, other_than=None, timeout=10):
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            for pid in self.children(subcommand):
                if pid != other_than:
                    return pid
            time.sleep(0.002)
        raise TimeoutError(f"no {subcommand} in {timeout} s")

    def kill(self, subcommand, with_signal=signal.SIGKILL):
        while True:
            pid = self.child(subcommand)
            try:
                os.kill(pid, with_signal)
                return pid
            except ProcessLookupError:
                pass  # it was dying of the kill before


def place(line, character):
    return {"line": line, "character": character}


def at(uri, line, character):
    return {"textDocument": {"uri": uri}, "position": place(line, character)}


def whole(uri):
    return {"textDocument": {"uri": uri}}


# Texts

UNITS = {"utf-8": lambda text: len(text.encode()),
         "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
         "utf-32": len}


def position(text, index, encoding="utf-16"):
    """The (line, character) of an index of a text whose lines end with "\\n" or "\\r\\n"."""
    before = text[:index]
    return before.count("\n"), UNITS[encoding](before[before.rfind("\n") + 1:])


def find(text, word, encoding="utf-16", nth=0):
    """The (line, character) of the nth occurrence of a word."""
    index = -1
    for _ in range(nth + 1):
        index = text.index(word, index + 1)
    return position(text, index, encoding)


KERNEL = """\
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", \
"ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copy(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %from = tt.addptr %srcs, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %value = tt.load %from : tensor<128x!tt.ptr<f32>, #blocked>
    %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %to = tt.addptr %dsts, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %to, %value : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
"""
BROKEN = KERNEL.replace("tt.store %to, %value", "tt.store %to, %nope")


def large(lines):
    """A valid module of at least so many lines: the kernel's function again and again."""
    head, function, tail = KERNEL.partition("  tt.func")[0], KERNEL[KERNEL.index("  tt.func"):-2], "}\n"
    count = -(-(lines - 3) // function.count("\n"))
    return head + "".join(function.replace("@copy", f"@copy{i}") for i in range(count)) + tail
