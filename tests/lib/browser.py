# SPDX-License-Identifier: GPL-2.0-only
"""A browser without a screen: Chromium by its chromedriver, Firefox by Marionette, which it has built in.

Both take the commands of W3C's WebDriver; Debian has no geckodriver, which only translates them for Firefox.
"""
import base64
import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

SECONDS = 300
KEYS = {"Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Enter": "\ue007", "Escape": "\ue00c",
        "Tab": "\ue004", "Home": "\ue011", "End": "\ue010", "PageUp": "\ue00e", "PageDown": "\ue00f", "Shift": "\ue008",
        "Control": "\ue009", "Backspace": "\ue003", "Delete": "\ue017"}


class Failed(Exception):
    """What a browser answers in place of a result."""


def missing(kind):
    """Why a kind of browser can't be had; None where it can."""
    needed = {"chromium": ("chromium", "chromedriver"), "firefox": ("firefox-esr",)}[kind]
    absent = [name for name in needed if not shutil.which(name)]
    return f"no {' and no '.join(absent)} (scripts/deps check installs it on Debian)" if absent else None


class Chromium:
    """chromedriver's HTTP."""

    def __init__(self, folder):
        self.log = open(os.path.join(folder, "chromedriver.log"), "w+")
        self.process = subprocess.Popen(["chromedriver", "--port=0"], stdout=self.log, stderr=self.log,
                                        stdin=subprocess.DEVNULL, start_new_session=True)
        self.folder, self.connection, self.session, self.seen, self.messages = folder, None, None, [], []

    def begin(self):
        port = waited(self.port, "chromedriver")
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                     "--disable-background-networking", "--disable-dev-shm-usage", f"--user-data-dir={self.folder}/profile"]
        self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
            "goog:chromeOptions": {"args": arguments}}}})["sessionId"]

    def port(self):
        with open(self.log.name) as f:
            found = re.search(r"started successfully on port (\d+)", f.read())
        return found and int(found.group(1))

    def call(self, method, path, body=None):
        self.connection.request(method, path, json.dumps(body if body is not None else {}) if method == "POST" else None,
                                {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        value = json.loads(answer.read())["value"]
        if answer.status != 200:
            raise Failed(f"{path}: {value.get('error')}: {value.get('message', '')[:500]}")
        return value

    def command(self, method, path, body=None):
        return self.call(method, f"/session/{self.session}{path}", body)

    def cdp(self, name, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def navigate(self, url):
        self.command("POST", "/url", {"url": url})

    def script(self, text, arguments):
        return self.command("POST", "/execute/sync", {"script": text, "args": arguments})

    def actions(self, actions):
        self.command("POST", "/actions", {"actions": actions})

    def theme(self, name):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def size(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self):
        return self.command("GET", "/screenshot")

    def read_logs(self):
        for entry in self.command("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.seen.append(message["params"]["request"]["url"])
        self.messages += [f"{e['level']}: {e['message']}" for e in self.command("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        self.read_logs()
        return self.seen

    def errors(self):
        self.read_logs()
        return [m for m in self.messages if m.startswith(("SEVERE", "WARNING"))]

    def close(self):
        try:
            if self.session:
                self.command("DELETE", "")
        except (OSError, Failed, http.client.HTTPException):
            pass
        if self.connection:
            self.connection.close()
        end(self.process, 0)
        self.log.close()


class Firefox:
    """Marionette: "LENGTH:[0, number, command, parameters]" each way, on a port of its own."""

    # It asks for nothing on its own; what a page asks for is counted below.
    PREFERENCES = {"marionette.port": 0, "app.update.enabled": False, "datareporting.policy.dataSubmissionEnabled": False,
                   "toolkit.telemetry.enabled": False, "browser.shell.checkDefaultBrowser": False,
                   "browser.startup.homepage_override.mstone": "ignore", "network.captive-portal-service.enabled": False,
                   "network.connectivity-service.enabled": False, "services.settings.server": "data:,none",
                   "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
                   "extensions.getAddons.cache.enabled": False, "browser.aboutwelcome.enabled": False,
                   "datareporting.policy.firstRunURL": "", "security.sandbox.content.level": 0}
    WATCH = """
        const seen = globalThis.fxtrecSeen = [];
        Services.obs.addObserver({ observe(subject) {
            const channel = subject.QueryInterface(Ci.nsIHttpChannel), by = channel.loadInfo.triggeringPrincipal;
            if (!by.isSystemPrincipal)
                seen.push(channel.URI.spec);
        } }, "http-on-opening-request");
        const errors = globalThis.fxtrecErrors = [];
        Services.console.registerListener({ observe(message) {
            if (message instanceof Ci.nsIScriptError && /^(file|http):/.test(message.sourceName))
                errors.push(message.errorMessage);
        } });"""

    def __init__(self, folder):
        profile = os.path.join(folder, "profile")
        os.mkdir(profile)
        with open(os.path.join(profile, "user.js"), "w") as f:
            for name, value in self.PREFERENCES.items():
                f.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.log = open(os.path.join(folder, "firefox.log"), "w")
        environment = {**os.environ, "HOME": folder, "MOZ_HEADLESS": "1"}
        self.process = subprocess.Popen(["firefox-esr", "--headless", "--no-remote", "--marionette",
                                         "--remote-allow-system-access", "--profile", profile],
                                        stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, env=environment,
                                        start_new_session=True)
        self.active, self.socket, self.number = os.path.join(profile, "MarionetteActivePort"), None, 0

    def begin(self):
        port = waited(self.port, "Firefox")
        self.socket = waited(lambda: connected(port), "Marionette")
        self.socket.settimeout(SECONDS)
        self.stream = self.socket.makefile("rb")
        self.read()
        self.command("WebDriver:NewSession", {})
        self.chrome(self.WATCH)

    def port(self):
        try:
            with open(self.active) as f:
                return int(f.read() or 0)
        except FileNotFoundError:
            return None

    def read(self):
        length = b""
        while not length.endswith(b":"):
            byte = self.stream.read(1)
            if not byte:
                raise Failed("Firefox ended")
            length += byte
        return json.loads(self.stream.read(int(length[:-1])))

    def command(self, name, parameters):
        self.number += 1
        data = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(str(len(data)).encode() + b":" + data)
        _, number, error, result = self.read()
        if number != self.number or error:
            raise Failed(f"{name}: {error}"[:800])
        return result["value"] if isinstance(result, dict) and list(result) == ["value"] else result

    def chrome(self, text):
        """A script of the browser's own."""
        self.command("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.command("WebDriver:ExecuteScript", {"script": text, "args": [], "sandbox": "system"})
        finally:
            self.command("Marionette:SetContext", {"value": "content"})

    def navigate(self, url):
        self.command("WebDriver:Navigate", {"url": url})

    def script(self, text, arguments):
        return self.command("WebDriver:ExecuteScript", {"script": text, "args": arguments})

    def actions(self, actions):
        self.command("WebDriver:PerformActions", {"actions": actions})

    def theme(self, name):
        self.chrome(f'Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", {int(name == "light")})')

    def size(self, width, height):
        """Of the page: the window is so much larger, and 450 wide or more."""
        self.command("WebDriver:SetWindowRect", {"width": width, "height": height})
        inner = self.script("return [innerWidth, innerHeight]", [])
        self.command("WebDriver:SetWindowRect", {"width": 2 * width - inner[0], "height": 2 * height - inner[1]})

    def screenshot(self):
        return self.command("WebDriver:TakeScreenshot", {"full": False})

    def requests(self):
        return self.chrome("return globalThis.fxtrecSeen")

    def errors(self):
        return self.chrome("return globalThis.fxtrecErrors")

    def close(self):
        if self.socket:
            try:
                self.command("Marionette:Quit", {"flags": ["eForceQuit"]})
            except (OSError, Failed):
                pass
            self.stream.close()
            self.socket.close()
        end(self.process, 10)
        self.log.close()


def waited(get, what):
    """What a function gives once it is anything."""
    limit = time.monotonic() + SECONDS
    while time.monotonic() < limit:
        value = get()
        if value:
            return value
        time.sleep(0.05)
    raise Failed(f"{what} doesn't answer")


def connected(port):
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
    except ConnectionRefusedError:
        return None


def end(process, seconds):
    """The process, which has so long to end by itself, and what it started."""
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def hooked(page):
    """A copy of a page, beside it, with page_hooks.js at the start of its scripts: users' pages have no hooks of tests."""
    with open(page, encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "page_hooks.js"), encoding="utf-8") as f:
        hooks = f.read()
    start = '(() => { "use strict";\n'
    script = text[text.rindex(start):text.rindex("</script>")]
    more = script.replace(start, start + hooks, 1)
    before, after = (f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in (script, more))
    if before not in text:
        raise Failed(f"{page}: its policy has another script")
    copy = page.removesuffix(".html") + "-hooked.html"
    with open(copy, "w", encoding="utf-8") as f:
        f.write(text.replace(before, after).replace(script, more))
    return copy


class Browser:
    """with Browser("chromium") as b: b.open(path); b.script("return document.title")."""

    def __init__(self, kind):
        self.kind = kind
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = {"chromium": Chromium, "firefox": Firefox}[kind](self.folder.name)
        try:
            self.driver.begin()
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.close()
        self.folder.cleanup()

    def open(self, path, fragment=""):
        """Opens a file from the disk, or an address; returns once its scripts have run."""
        # A change of the fragment alone would not load it again.
        self.driver.navigate("about:blank")
        address = path if path.startswith("http:") else f"file://{os.path.abspath(path)}"
        self.driver.navigate(address + fragment)

    def script(self, text, *arguments):
        """The value that the body of a function returns in the page."""
        return self.driver.script(text, list(arguments))

    def wait(self, text, *arguments):
        """The same, once it is true."""
        return waited(lambda: self.script(text, *arguments), text)

    def theme(self, name):
        """What the system has: light or dark."""
        self.driver.theme(name)

    def size(self, width, height):
        self.driver.size(width, height)

    def screenshot(self, path):
        """What is seen, as PNG."""
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.driver.screenshot()))

    def requests(self):
        """Addresses that were asked for so far, those of files with Chromium."""
        return self.driver.requests()

    def network(self):
        """The same without files and what is in the page itself."""
        return [url for url in self.requests() if not url.startswith(("file:", "about:", "data:", "blob:", "chrome:"))]

    def errors(self):
        """What the console was told of errors and violations of policy."""
        return self.driver.errors()

    def press(self, *keys, held=()):
        """Presses keys one after the other: letters, or names of KEYS; held: with these down."""
        press = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        down, up = ([{"type": kind, "value": KEYS.get(key, key)} for key in held] for kind in ("keyDown", "keyUp"))
        self.driver.actions([{"type": "key", "id": "keyboard", "actions": down + press + up}])

    def pointer(self, *steps, kind="mouse"):
        """steps: (x, y) of the window to move to, "down", "up", or milliseconds to wait; kind: or "touch"."""
        actions = []
        for step in steps:
            if isinstance(step, tuple):
                actions.append({"type": "pointerMove", "duration": 20, "x": round(step[0]), "y": round(step[1])})
            elif isinstance(step, str):
                actions.append({"type": f"pointer{step.title()}", "button": 0})
            else:
                actions.append({"type": "pause", "duration": step})
        self.driver.actions([{"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}])

    def click(self, x, y):
        self.pointer((x, y), "down", "up")

    def wheel(self, x, y, right, down):
        self.driver.actions([{"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": right, "deltaY": down, "duration": 0}]}])
