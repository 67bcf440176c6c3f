"""What the tests of the studio share: a server over small files, and asking it."""

import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

from program import CommandLineTest  # noqa: E402

PATIENCE = 120


class Server:
    """A running 'wordbridge studio' or 'serve'; ended with the test that started it."""

    def __init__(self, test, *arguments):
        self.test = test
        self.process = test.start("--quiet", *arguments, "--port", "0")
        test.addCleanup(self.end)
        line = self.process.stdout.readline().decode()
        match = re.match(r"http://([^/]*):(\d+)/(?:#token=(\w+))?$", line.strip())
        if not match:
            test.fail(f"no address, but {line!r} and {self.process.stderr.read().decode()!r}")
        self.url, self.host, self.port, self.token = line.strip(), match[1], int(match[2]), match[3]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, path, method="GET", body=None, headers=None):
        """Status, headers and body of an answer."""
        connection = self.connect()
        given = dict(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            given.setdefault("Content-Type", "application/json")
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, answer.headers, data

    def get(self, path, status=200, **options):
        """The JSON of an answer below the root of the API."""
        found, headers, data = self.ask("/api/v1/" + path, **options)
        self.test.assertEqual(found, status, data[:500])
        self.test.assertEqual(headers["Content-Type"], "application/json")
        return json.loads(data)

    def post(self, path, body, status=200):
        return self.get(path, status, method="POST", body=body)

    def wait(self, job):
        """The end of a job, as its events tell."""
        connection = self.connect()
        connection.request("GET", "/api/v1/events")
        answer = connection.getresponse()
        status = self.get(f"jobs/{job}")
        while status["state"] in ("waiting", "running"):
            line = answer.fp.readline()
            self.test.assertTrue(line, "the events have ended")
            if line.startswith(b"data: "):
                data = json.loads(line[6:])
                if data.get("id") == job and "state" in data:
                    status = data
        connection.close()
        return status

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            output, errors = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise
        except ValueError:  # ended before
            return b""
        return errors


class StudioTest(CommandLineTest):
    def serve(self, *options, command="serve"):
        return Server(self, command, self.align(), "en.vec", "es.vec", *options)
