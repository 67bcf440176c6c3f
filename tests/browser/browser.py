"""Headless Chromium over the DevTools pipe: what the tests of pages share. Nothing is installed and no port is opened."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

CHROMIUM = shutil.which("chromium") or "chromium"
PATIENCE = 60  # seconds after which a page hangs


class BrowserError(Exception):
    pass


class Browser:
    """One browser; pages are tabs of it."""

    def __init__(self, *arguments):
        self.profile = tempfile.TemporaryDirectory(prefix="wordbridge-browser-", ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def place_pipes():  # the browser reads from 3 and writes to 4
            high = [os.dup(fd) for fd in (to_browser, from_browser)]
            high = [fd if fd > 4 else os.dup2(fd, 60 + i) for i, fd in enumerate(high)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        call = [CHROMIUM, "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--remote-debugging-pipe",
                f"--user-data-dir={self.profile.name}", *arguments, "about:blank"]
        self.process = subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, preexec_fn=place_pipes, close_fds=False,
                                        env=dict(os.environ, HOME=self.profile.name))
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.answers = {}
        self.pages = {}  # by session

    def close(self):
        try:
            self.call("Browser.close")
        except BrowserError:
            self.process.kill()
        self.process.wait(timeout=PATIENCE)
        for end in (self.read_end, self.write_end):
            os.close(end)
        self.profile.cleanup()

    def call(self, method, session=None, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        deadline = time.monotonic() + PATIENCE
        while number not in self.answers:
            self.listen(deadline)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def listen(self, deadline):
        """Takes what the browser says next."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise BrowserError("the browser does not answer")
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise BrowserError("the browser has ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "id" in message:
            self.answers[message["id"]] = message
        elif message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].hear(message["method"], message["params"])

    def open(self, url, **size):
        return Page(self, url, **size)


class Page:
    def __init__(self, browser, url, width=1200, height=800, dark=False):
        self.browser = browser
        self.complaints = []  # errors of scripts, of the console, of what the policy refused
        self.downloads = []
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.look(width, height, dark)
        self.go(url)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def hear(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))

    def look(self, width=1200, height=800, dark=False, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def go(self, url):
        self.call("Page.navigate", url=url)

    def reload(self):
        self.call("Page.reload")

    def __call__(self, script):
        """What a script gives; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, script, patience=PATIENCE):
        """Asks until the script gives something true; the page is asked again each frame, which takes no time here."""
        deadline = time.monotonic() + patience
        text = f"""new Promise((resolve) => {{
          const end = performance.now() + 2000;
          const look = () => {{
            let is = false;
            try {{ is = (() => ({script}))(); }} catch (error) {{ }}
            if (is || performance.now() > end) resolve(is instanceof Node || is); else setTimeout(look, 16);
          }};
          look();
        }})"""
        while True:
            try:
                found = self(text)
            except BrowserError as error:  # of a page that goes while it is asked
                if "navigat" not in str(error) and "destroyed" not in str(error):
                    raise
                found = None
            if found:
                return found
            if time.monotonic() > deadline:
                raise BrowserError(f"in vain waited for: {script}\non a page that says:\n{self('document.body.innerText')[:2000]}")

    def press(self, key, modifiers=0):
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Tab": 9}
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        common = {"key": key, "modifiers": modifiers, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        """As a person does: in the middle of what is there."""
        x, y = self(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          element.scrollIntoView({{ block: "nearest" }});
          const box = element.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        del self.browser.pages[self.session]
        self.browser.call("Target.closeTarget", targetId=self.target)
