#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec open: the UI, or a tab with our page, gets the trace, once; another origin, host or path gets nothing."""
import http.client
import http.server
import json
import os
import queue
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import browser
import tap
from fxtmake import File
from simulated import Machine

WAIT = 300
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY", "BROWSER", "SUDO_USER")}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Opened:
    """A running "fxtrec open", as far as it says where the trace is."""

    def __init__(self, *arguments, environment=ENVIRONMENT):
        # Another program may take it first.
        for _ in range(20):
            self.port, self.said = free_port(), []
            self.process = subprocess.Popen([tap.FXTREC, "open", f"--port={self.port}", *arguments], text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
            for line in self.process.stdout:
                self.said.append(line.rstrip("\n"))
                if f"http://127.0.0.1:{self.port}/" in line:
                    break
            if self.said or "another program has this port" not in self.process.communicate()[1]:
                break
        self.address = self.said[-1].split()[-1] if self.said else ""
        self.path = self.address.rpartition(f"http://127.0.0.1:{self.port}")[2]

    def ask(self, method="GET", path=None, host=None, **headers):
        """Status, headers and body; a header's name has _ for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        connection.putrequest(method, path or self.path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), body

    def ends(self):
        """The exit status once it has ended by itself."""
        try:
            return self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            return None

    def stop(self):
        self.process.kill()
        self.process.communicate()


def nothing(answer):
    status, headers, body = answer
    return status >= 400 and not body and not any(name.lower().startswith("access-control") for name in headers)


def over_http(trace, packets):
    ui = "https://ui.example"
    opened = Opened(f"--ui={ui}", trace)
    tap.ok(opened.address.startswith(f"{ui}/#!/?url=http://127.0.0.1:{opened.port}/") and len(opened.path) == 33,
           "the address is the UI's, with the trace's", opened.said)
    tap.ok(any(f"ssh -N -L {opened.port}:127.0.0.1:{opened.port} " in line for line in opened.said),
           "without a display it says how the port gets to the browser's machine", opened.said)
    for name, answer in {
            "no origin": opened.ask(),
            "another origin": opened.ask(Origin="https://other.example"),
            "an origin that begins with the UI's": opened.ask(Origin=ui + ".other.example"),
            "the UI's name by http": opened.ask(Origin="http://ui.example"),
            "the null origin": opened.ask(Origin="null"),
            "another path": opened.ask(path=opened.path[:-1] + ("0" if opened.path[-1] != "0" else "1"), Origin=ui),
            "no path": opened.ask(path="/", Origin=ui),
            "a path behind it": opened.ask(path=opened.path + "/", Origin=ui),
            "another host": opened.ask(host=f"rebound.example:{opened.port}", Origin=ui),
            "POST": opened.ask("POST", Origin=ui),
            "a preflight of another origin": opened.ask("OPTIONS", Origin="https://other.example",
                                                        Access_Control_Request_Private_Network="true"),
    }.items():
        tap.ok(nothing(answer), f"{name}: nothing", answer)
    status, headers, _ = opened.ask("OPTIONS", Origin=ui, Access_Control_Request_Method="GET",
                                    Access_Control_Request_Private_Network="true")
    tap.ok(status == 204 and headers.get("Access-Control-Allow-Origin") == ui and
           headers.get("Access-Control-Allow-Private-Network") == "true", "the UI's preflight is allowed", headers)
    status, headers, body = opened.ask(Origin=ui)
    tap.ok(status == 200 and body == packets, "the UI gets the packets that convert writes",
           f"{status}: {len(body)} bytes of {len(packets)}")
    tap.ok(headers.get("Access-Control-Allow-Origin") == ui and headers.get("Content-Length") == str(len(packets)),
           "with the headers that let the page read it", headers)
    tap.ok(opened.ends() == 0, "it ends after one download")
    opened.stop()


def broken_off(folder):
    """Packets of another program, more than sockets hold."""
    ui, path, size = "https://ui.perfetto.dev", os.path.join(folder, "large.pftrace"), 64 << 20
    with open(path, "wb") as f:
        f.write(b"\x0a\x02\x40\x01" * (size // 4))
    opened = Opened(path)
    with socket.create_connection(("127.0.0.1", opened.port), timeout=WAIT) as s:
        s.sendall(f"GET {opened.path} HTTP/1.1\r\nHost: 127.0.0.1:{opened.port}\r\nOrigin: {ui}\r\n\r\n".encode())
        s.recv(4096)
        tap.ok(nothing(opened.ask(Origin=ui)), "while it is fetched, a second fetch gets nothing")
    for _ in range(WAIT * 20):
        status, _, body = opened.ask(Origin=ui)
        if status == 200:
            break
        threading.Event().wait(0.05)
    tap.ok(status == 200 and len(body) == size, "a download that was broken off may be repeated", status)
    tap.ok(opened.ends() == 0, "and ends it")
    opened.stop()


def connect_as(user, opened):
    """A connection of that user's: the kernel remembers who created a socket."""
    os.seteuid(user)
    try:
        return socket.create_connection(("127.0.0.1", opened.port), timeout=WAIT)
    finally:
        os.seteuid(0)


def fetch_as(user, opened, ui):
    """The bytes of the whole answer that a program of that user gets."""
    request = f"GET {opened.path} HTTP/1.1\r\nHost: 127.0.0.1:{opened.port}\r\nOrigin: {ui}\r\nConnection: close\r\n\r\n"
    with connect_as(user, opened) as s:
        try:
            s.sendall(request.encode())
            return len(b"".join(iter(lambda: s.recv(65536), b"")))
        except OSError:
            return 0


def strangers(trace, packets):
    """Another user that knows the path gets nothing, and takes no connection from the owner."""
    if os.geteuid():
        tap.skip("a connection of another user", "not root")
        return
    ui, nobody, owner = "https://ui.example", 65534, 65533
    opened = Opened(f"--ui={ui}", trace)
    tap.ok(fetch_as(nobody, opened, ui) == 0, "another user that knows the path gets nothing")
    held = [connect_as(user, opened) for user in [nobody] * 500 + [0] * 40]
    status, _, body = opened.ask(Origin=ui)
    tap.ok(status == 200 and body == packets, "the owner gets it, beside idle connections of anybody", status)
    tap.ok(opened.ends() == 0, "and it ends")
    for connection in held:
        connection.close()
    opened.stop()
    opened = Opened(f"--ui={ui}", trace, environment=ENVIRONMENT | {"SUDO_UID": str(owner)})
    tap.ok(fetch_as(nobody, opened, ui) == 0 and fetch_as(owner, opened, ui) > len(packets),
           "by sudo, the user that called it gets it, and no other")
    tap.ok(opened.ends() == 0, "and it ends")
    opened.stop()


def second_fetch(trace, folder):
    """While a UI of one's own is served, the trace is not."""
    files = os.path.join(folder, "ui")
    os.mkdir(files)
    for name, text in (("index.html", "<p>ui"), ("engine.wasm", "\0asm")):
        with open(os.path.join(files, name), "w") as f:
            f.write(text)
    os.symlink("/etc/passwd", os.path.join(files, "leak.txt"))
    os.symlink("index.html", os.path.join(files, "link.html"))
    opened = Opened(f"--ui-dir={files}", trace)
    origin = f"http://127.0.0.1:{opened.port}"
    tap.ok(opened.address.startswith(origin + "/#!/?url=" + origin), "--ui-dir: the address is of this machine",
           opened.said)
    tap.ok(opened.ask(path="/")[2] == b"<p>ui" and opened.ask(path="/link.html")[2] == b"<p>ui",
           "--ui-dir: its page")
    tap.ok(opened.ask(path="/engine.wasm")[1].get("Content-Type") == "application/wasm", "--ui-dir: types by suffix")
    for path in ("/leak.txt", "/../t.fxt", "/%2e%2e/t.fxt", "/..%2ft.fxt", "//etc/passwd", "/missing", "/."):
        tap.ok(nothing(opened.ask(path=path)), f"--ui-dir: {path} leads nowhere", opened.ask(path=path))
    tap.ok(nothing(opened.ask(Origin="https://ui.perfetto.dev")), "--ui-dir: another UI gets nothing")
    tap.ok(nothing(opened.ask(Sec_Fetch_Site="cross-site")), "--ui-dir: another site gets nothing")
    got = opened.ask(Sec_Fetch_Site="same-origin")
    tap.ok(got[0] == 200 and got[2], "--ui-dir: its page gets the trace", got[0])
    tap.ok(nothing(opened.ask(Sec_Fetch_Site="same-origin")), "--ui-dir: a second time it doesn't")
    tap.ok(opened.ask(path="/")[0] == 200, "--ui-dir: the page itself is still there")
    opened.stop()


def as_page(trace, folder):
    """--page: what "fxtrec page" makes goes to a tab of a browser, once, and to no other page."""
    html = os.path.join(folder, "t.html")
    tap.run([tap.FXTREC, "page", trace, "-o", html])
    with open(html, "rb") as f:
        expected = f.read()
    opened = Opened("--page", trace)
    tap.ok(opened.address == f"http://127.0.0.1:{opened.port}{opened.path}" and len(opened.path) == 33 and
           any(f"ssh -N -L {opened.port}:127.0.0.1:{opened.port} " in line for line in opened.said),
           "--page: the address is of this machine, and it says how the port gets to the browser's", opened.said)
    tab = {"Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    for name, answer in {
            "a page's fetch": opened.ask(Origin="https://other.example"),
            "the null origin": opened.ask(Origin="null", **tab),
            "a fetch that names no origin": opened.ask(Sec_Fetch_Mode="no-cors", Sec_Fetch_Dest="empty"),
            "a script": opened.ask(Sec_Fetch_Mode="no-cors", Sec_Fetch_Dest="script"),
            "a frame": opened.ask(Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="iframe"),
            "a preflight": opened.ask("OPTIONS", Origin="https://ui.perfetto.dev",
                                      Access_Control_Request_Private_Network="true"),
            "another path": opened.ask(path="/", **tab),
            "an icon": opened.ask(path="/favicon.ico"),
            "another host": opened.ask(host=f"rebound.example:{opened.port}", **tab),
            "HEAD": opened.ask("HEAD", **tab),
    }.items():
        tap.ok(nothing(answer), f"--page: {name}: nothing", answer)
    status, headers, body = opened.ask(Sec_Fetch_Site="none", **tab)
    same = body.replace(b"t.fxt", b"")[:20000] == expected.replace(b"t.fxt", b"")[:20000]
    tap.ok(status == 200 and same and len(body) == len(expected), "--page: a tab gets the page that \"fxtrec page\" makes",
           f"{status}: {len(body)} bytes of {len(expected)}")
    tap.ok(headers.get("Content-Type") == "text/html; charset=utf-8" and
           not any(name.lower().startswith("access-control") for name in headers), "--page: as a page", headers)
    tap.ok(opened.ends() == 0, "--page: it ends after that")
    opened.stop()
    opened = Opened("--page", "--time=,1ms", trace)
    tap.ok(opened.ask()[0] == 200 and opened.ends() == 0, "--page --time: a part", opened.said)
    opened.stop()


def display(folder):
    """An environment with a display, and the file that holds the argument of the browser that is started in it."""
    script, said = os.path.join(folder, "browser"), os.path.join(folder, "said")
    bins = os.path.join(folder, "bin")
    if not os.path.exists(bins):
        with open(script, "w") as f:
            f.write(f"#!/bin/sh\nprintf %s \"$1\" > {said}.new && mv {said}.new {said}\n")
        os.chmod(script, 0o755)
        os.mkdir(bins)
        os.symlink(script, os.path.join(bins, "xdg-open"))
    return ENVIRONMENT | {"DISPLAY": ":7", "PATH": bins + ":" + os.environ["PATH"]}, said


def started_on(said):
    """The argument of the browser, once it is started."""
    for _ in range(WAIT * 20):
        if os.path.exists(said):
            break
        threading.Event().wait(0.05)
    with open(said) as f:
        argument = f.read()
    os.unlink(said)
    return argument


def page_in_browser(trace, folder):
    """Chromium and Firefox show what they get, and it works as it does from a file."""
    environment, said = display(folder)
    for name in ("chromium", "firefox"):
        if browser.missing(name):
            tap.skip(f"{name}: the page from fxtrec open", browser.missing(name))
            continue
        with browser.Browser(name) as b:
            opened = Opened("--page", trace, environment=environment)
            b.open(started_on(said))
            b.wait("return performance.getEntriesByName('fxtrec-first-picture').length > 0")
            tap.ok(opened.ends() == 0, f"{name}: opens the page, and fxtrec ends", opened.said)
            tap.ok(b.script("return document.querySelectorAll('h2').length") > 3 and not b.errors(),
                   f"{name}: the page is whole", b.errors())
            b.script("[...document.querySelectorAll('#timeline button')].find((e) => e.textContent === '+').click()")
            b.wait("return location.hash.includes('from=')")
            tap.ok(True, f"{name}: its address is a link to what it shows")
            opened.stop()


# Fetches as Perfetto's UI does, and says to its server what came of it.
PAGE = b"""<!DOCTYPE html><meta charset=utf-8><script>
const url = decodeURIComponent(location.hash.split("url=")[1]);
async function get(url) {
  try {
    const response = await fetch(url);
    if (response.status !== 200) return {status: response.status};
    const reader = response.body.getReader();
    let bytes = 0, hash = 0;
    for (let chunk; !(chunk = await reader.read()).done;) {
      bytes += chunk.value.length;
      for (const byte of chunk.value) hash = (hash * 31 + byte) >>> 0;
    }
    return {status: 200, bytes, hash, length: response.headers.get("Content-Length")};
  } catch (e) {
    return {error: String(e)};
  }
}
(async () => {
  const answer = {origin: location.origin, other: await get(url.slice(0, -1) + "g"), first: await get(url)};
  answer.second = await get(url);
  await fetch("/answer", {method: "POST", body: JSON.stringify(answer)});
})();
</script>"""


class Page(http.server.ThreadingHTTPServer):
    """An origin whose page is PAGE."""

    def __init__(self):
        self.answers = queue.Queue()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.origin = f"http://localhost:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def reply(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply(PAGE)

    def do_POST(self):
        self.server.answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.reply(b"")


def visit(page, address, folder):
    """What the page says that it got, in a browser."""
    browser = subprocess.Popen(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                                "--disable-background-networking", f"--user-data-dir={folder}/profile", address],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return page.answers.get(timeout=2 * WAIT)
    except queue.Empty:
        return {}
    finally:
        browser.terminate()
        try:
            browser.wait(WAIT)
        except subprocess.TimeoutExpired:
            browser.kill()


def in_browser(trace, packets, folder):
    if not shutil.which("chromium"):
        tap.skip("a page of the UI in a browser", "no chromium")
        return
    ui, other = Page(), Page()
    opened = Opened(f"--ui={ui.origin}", trace)
    got = visit(other, opened.address.replace(ui.origin, other.origin), folder)
    tap.ok(got.get("origin") == other.origin and "error" in got.get("first", {}) and "error" in got["second"],
           "a browser's page of another origin gets nothing", got)
    tap.ok(opened.process.poll() is None, "and the trace is still to be had")
    got = visit(ui, opened.address, folder)
    value = 0
    for byte in packets:
        value = (value * 31 + byte) & 0xffffffff
    tap.ok(got.get("first") == {"status": 200, "bytes": len(packets), "hash": value, "length": str(len(packets))},
           "a browser's page of the UI's origin gets the packets", got)
    tap.ok("error" in got.get("other", {}), "another path: nothing", got)
    tap.ok("error" in got.get("second", {}), "a second fetch: nothing", got)
    tap.ok(opened.ends() == 0, "it ended")
    opened.stop()


def browsers(trace, folder):
    """Which browser is started, and where it isn't."""
    environment, said = display(folder)
    opened = Opened(trace, environment=environment)
    started = started_on(said)
    page = open(started).read() if os.path.exists(started) else None
    tap.ok(page and f'"0;url={opened.address}"' in page and opened.address.startswith("https://ui.perfetto.dev/#!/?url="),
           "with a display, the browser is started on a file that leads to Perfetto's UI", (opened.said, started, page))
    tap.ok(page and os.stat(started).st_mode & 0o777 == 0o600, "which its user alone reads: arguments are every user's",
           started)
    opened.process.send_signal(signal.SIGTERM)
    tap.ok(opened.process.wait(WAIT) == -signal.SIGTERM and not os.path.exists(started), "a signal removes the file", started)
    opened.stop()
    for name, more, server in (("over SSH", {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.7 22"}, "@192.0.2.7"), ("-n", {}, ""),
                               ("by sudo", {"SUDO_USER": "daemon"}, "in a browser of this machine"),
                               ("over SSH of another port", {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.7 2222"}, " -p 2222 ")):
        opened = Opened(*(["-n"] if name == "-n" else []), trace, environment=environment | more)
        tap.ok(not os.path.exists(said) and opened.said and any(server in line for line in opened.said) and
               (" -p " in "".join(opened.said)) == ("2222" in server), f"{name}: no browser is started", opened.said)
        opened.stop()


def part_sizes(commands):
    """What each command of a part, pasted into a shell, gives to the UI: bytes; 0 where it opens nothing."""
    sizes = []
    for command in commands:
        words = shlex.split(command)
        opened = Opened(*words[2:])
        sizes.append(len(opened.ask(Origin="https://ui.example")[2]) if opened.path else 0)
        opened.stop()
    return sizes


def too_large(trace, folder):
    """What is beyond the UI's memory is offered in parts, each of which can be opened."""
    records = int(tap.run([tap.FXTREC, "open", "--limit=1", trace]).stderr.split()[2])
    done = tap.run([tap.FXTREC, "open", "--ui=https://ui.example", f"--limit={records * 2 // 5}", trace])
    commands = done.stderr.splitlines()[1:]
    tap.ok(done.returncode == 1 and len(commands) == 3 and not done.stdout, "beyond the limit: commands of parts",
           done.stderr)
    sizes = part_sizes(commands)
    tap.all_of("each opens a part", sizes, bool, why=commands)
    done = tap.run([tap.FXTREC, *shlex.split(commands[0])[1:-1], f"--limit={records // 5}", trace])
    tap.ok(done.returncode == 1 and len(done.stderr.splitlines()) == 3, "a part that is too large: parts of that part",
           done.stderr)
    tap.all_of("each of which opens", part_sizes(done.stderr.splitlines()[1:]), bool, why=done.stderr)
    bursts = os.path.join(folder, "-it's <b>\n\u202eu.fxt")
    data = File().provider(1, "fxtrec").cpu(0)
    for i in range(4000):
        data.switch(1_000_000 + i if i < 3900 else i << 30, 0, 10 + i % 2, 120, 1, 11 - i % 2, 120)
    with open(bursts, "wb") as f:
        f.write(data.data)
    done = subprocess.run([tap.FXTREC, "open", "--ui=https://ui.example", "--limit=1000", "--t", "0,", "--",
                           os.path.basename(bursts), trace],
                          text=True, capture_output=True, cwd=folder, check=False)
    commands = done.stderr.splitlines()[1:]
    said = subprocess.run(["bash", "-c", "fxtrec() { printf '%s\\0' \"$@\"; }; " + (commands or [""])[0]], text=True,
                          capture_output=True, cwd=folder, check=False).stdout.split("\0")[:-1]
    tap.ok(said[:1] + said[2:] == ["open", "--ui=https://ui.example", "--limit=1000", "--", os.path.basename(bursts), trace] and
           said[1].startswith("--time="), "a shell reads all options and names as they were", (commands, said))
    plain = os.path.join(folder, "bursts.fxt")
    os.rename(bursts, plain)
    done = tap.run([tap.FXTREC, "open", "--ui=https://ui.example", "--limit=1000", plain])
    sizes = part_sizes(done.stderr.splitlines()[1:])
    tap.ok(sizes and all(sizes) and len(sizes) == 5, "of records that come in bursts, parts have about as many", (done.stderr, sizes))
    with open(plain, "rb") as f:
        done = tap.run([tap.FXTREC, "open", "--limit=1000", "-"], stdin=f)
    tap.ok(done.returncode == 1 and "save it to a file" in done.stderr and done.stderr.count("\n") == 1,
           "standard input can't be read again", done.stderr)


def refusals(trace, folder):
    tap.fails(["open"], 2, "no FILE", "no file", cwd="/")
    tap.fails(["open", "--ui=ftp://x", trace], 2, "--ui=ftp://x", "--ui that is no address")
    tap.fails(["open", "--ui=https://x/#y", trace], 2, "--ui=", "--ui with a fragment")
    tap.fails(["open", "--ui=https://x", "--ui-dir=.", trace], 2, "two UIs", "--ui and --ui-dir")
    tap.fails(["open", "--page", "--ui=https://x", trace], 2, "not of --page", "--page and --ui")
    tap.fails(["open", "--page", "--limit=5", trace], 2, "not of --page", "--page and --limit")
    tap.fails(["open", "--page", folder + "/none"], 1, "none: No such file", "--page of a file that isn't there")
    tap.fails(["open", "--page", "/dev/null"], 1, "not a trace", "--page of no trace")
    tap.fails(["open", "--limit=x", trace], 2, "--limit=x", "--limit that is no number")
    tap.fails(["open", "--port=0", trace], 2, "--port=0", "--port=0")
    tap.fails(["open", f"--ui-dir={folder}/none", trace], 1, "none: No such file", "--ui-dir that isn't there")
    tap.fails(["open", folder + "/none"], 1, "none: No such file", "a file that isn't there")
    tap.fails(["open", "/dev/null"], 1, "not a trace: it is empty", "no trace")
    tap.fails(["open", "--from=fxt", "/etc/passwd"], 1, "nothing of the file is understood", "--from that it isn't of")
    tap.fails(["open", "--from=html", trace], 1, "no script with ftrace text", "--from of another format than the trace's")
    tap.fails(["open", "--from=text", trace], 2, 'no format "text"', "--from of no format")
    tap.fails(["open", "--time=1000,1001", trace], 1, "nothing of it is in that time", "--time behind its end")
    tap.fails(["open", "--time=@1,@2", trace], 1, "nothing of it is in that time", "--time before its begin")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        tap.fails(["open", f"--port={s.getsockname()[1]}", trace], 1, "another program has this port",
                  "a port that is taken")


def main():
    with tempfile.TemporaryDirectory() as folder:
        trace, packets = os.path.join(folder, "t.fxt"), os.path.join(folder, "t.pftrace")
        with open(trace, "wb") as f:
            f.write(Machine(random.Random(1), 4, 30, 20_000).trace())
        done = tap.run([tap.FXTREC, "convert", trace, "-o", packets])
        if not tap.ok(done.returncode == 0, "convert", done.stderr):
            tap.done()
        with open(packets, "rb") as f:
            data = f.read()
        over_http(trace, data)
        over_http(packets, data)
        broken_off(folder)
        strangers(trace, data)
        second_fetch(trace, folder)
        in_browser(trace, data, folder)
        as_page(trace, folder)
        page_in_browser(trace, folder)
        browsers(trace, folder)
        too_large(trace, folder)
        refusals(trace, folder)
    tap.done()


main()
