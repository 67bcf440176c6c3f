"""The server of the studio as a program sees it: every endpoint, and what comes of bad requests."""

import http.client
import json
import re
import socket
import struct
import unittest

import jsonschema

from server import PATIENCE, Server, StudioTest
from program import ROOT, WORDS

API = json.loads((ROOT / "studio/openapi.json").read_text())
MARKUP = '<script>alert("x")</script>&amp;'


def schema_of(path, method="get", status="200"):
    content = API["paths"][path][method]["responses"][status]["content"]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "components": API["components"],
            **content["application/json"]["schema"]}


class ApiTest(StudioTest):
    def check(self, server, path, template=None, **options):
        """An answer that is as the description says."""
        answer = server.get(path, **options)
        jsonschema.validate(answer, schema_of(template or "/" + path.split("?")[0]))
        return answer

    def test_answers(self):
        server = self.serve("--lexicon", "train.txt")
        info = self.check(server, "info")
        self.assertEqual(info["source"], {"name": "en", "words": WORDS, "criteria": info["source"]["criteria"]})
        self.assertTrue(info["read_only"])
        self.assertEqual(info["lexicon"], 90)
        words = self.check(server, "words?prefix=E1&count=3")["words"]
        self.assertEqual(words, [{"word": "e1", "id": 1}, {"word": "e10", "id": 10}, {"word": "e11", "id": 11}])
        words = self.check(server, "words?side=target&first=148&count=10")
        self.assertEqual(words, {"first": 148, "words": ["s148", "s149"]})
        word = self.check(server, "word?word=e100&count=5")
        self.assertEqual(word["rank"], 101)
        for entry in word["lists"]:
            self.assertEqual(entry["candidates"][0]["word"], "s100", entry["criterion"])
        best = word["candidates"][0]
        self.assertAlmostEqual(best["csls"], 2 * best["cosine"] - word["penalty"] - best["penalty"], places=9)
        self.assertEqual(best["back"], "e100")
        self.assertEqual(self.check(server, "word?word=s3&side=target")["known"], [{"word": "e3", "how": "lexicon"}])
        self.assertEqual(self.check(server, "word?word=nosuch")["origin"], "unknown")
        hubs = self.check(server, "hubs?criterion=nn&count=3")
        self.assertEqual(len(hubs["hubs"]), 3)
        self.assertEqual(sum(one["words"] for one in hubs["histogram"]), WORDS)
        self.assertEqual(self.check(server, "hubs")["criterion"], "csls")
        self.check(server, "jobs")

    def test_the_program_says_the_same(self):
        server = self.serve()
        for options, query in ((["--count", "3"], "count=3"), (["--criterion", "nn"], "criterion=nn"), ([], "criterion=csls")):
            for words in (["e5"], ["e7", "nosuch", "E8", " e9"]):
                expected = self.run_program("translate", "m.wbmap", "en.vec", "es.vec", *words, "--json", *options).stdout
                asked = "&".join("word=" + word.replace(" ", "%20") for word in words)
                status, _, data = server.ask(f"/api/v1/translate?{asked}&{query}")
                self.assertEqual((status, data.decode()), (200, expected))
                jsonschema.validate(json.loads(data), schema_of("/translate"))
        expected = self.succeed("neighbors", "en.vec", "e5", "--mapping", "m.wbmap", "--target", "es.vec", "--json").stdout
        self.assertEqual(server.ask("/api/v1/neighbors?word=e5&among=target")[2].decode(), expected)
        self.check(server, "neighbors?word=e5&side=source&count=2")

    def test_maps(self):
        server = self.serve()
        status, headers, data = server.ask("/api/v1/map?words=100")
        self.assertEqual((status, headers["Content-Type"]), (200, "application/octet-stream"))
        self.assertEqual((data[:8], struct.unpack_from("<II", data, 8)), (b"wbxymap1", (100, 100)))
        self.assertEqual(len(data), 24 + 8 * 300)
        self.assertEqual(server.get("map?kind=umap&words=100", status=404)["error"]["status"], 404)
        job = server.post("map", {"words": 100}, status=202)
        jsonschema.validate(job, schema_of("/map", "post", "202"))
        end = server.wait(job["job"])
        self.assertEqual(end["state"], "done", end)
        self.check(server, f"jobs/{job['job']}", "/jobs/{id}")
        made = server.ask("/api/v1/map?kind=umap&words=100")[2]
        self.assertEqual(len(made), len(data))
        server.get(f"jobs/{job['job']}", method="DELETE", status=404)

    def test_bad_requests(self):
        server = self.serve()
        for path, status in (
                ("translate", 400), ("translate?word=e1&count=0", 400), ("translate?word=e1&count=x", 400),
                ("translate?word=e1&criterion=best", 400), ("translate?word=e1&side=left", 400),
                ("translate?word=e1&unknown=1", 400), ("translate?word=%4", 400), ("translate?word=e1&explain=1", 400),
                ("translate?word=e1&count=1&count=2", 400), ("translate?" + "&".join(["word=a"] * 1001), 400),
                ("word", 400), ("word?word=e1&count=101", 400), ("words?count=-1", 400), ("hubs?criterion=rerank", 400),
                ("map?kind=tsne", 400), ("map?words=0", 400), ("jobs/1x", 404), ("jobs/999", 404), ("nosuch", 404),
                ("../../etc/passwd", 404), ("", 404), ("info?x=1", 400)):
            error = server.get(path, status=status)
            jsonschema.validate(error, {"components": API["components"], "$ref": "#/components/schemas/Error"})
            self.assertNotIn("\n", error["error"]["reason"])
        for body in ("", "[]", "{", '{"words": "many"}', '{"words": 0}', '{"words": -1}', '{"words": 1e9}', "[" * 5000):
            headers = {"Content-Type": "application/json"}
            self.assertEqual(server.ask("/api/v1/map", "POST", body, headers)[0], 400, body)
        self.assertEqual(server.ask("/api/v1/info", "POST", {})[0], 405)
        self.assertEqual(server.ask("/", "POST", {})[0], 405)
        self.assertEqual(server.ask("/api/v1/info", "PUT")[0], 405)
        self.assertEqual(server.ask("/api/v1/info", "HEAD")[2], b"")

    def test_words_are_data(self):
        self.write("en.vec", self.read("en.vec").replace(b"\ne0 ", b"\n" + MARKUP.encode() + b" "))
        server = self.serve()
        status, headers, data = server.ask("/api/v1/words?prefix=%3Cscript")
        self.assertEqual(json.loads(data)["words"][0]["word"], MARKUP)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Content-Type"], "application/json")
        page = server.ask("/")[2].decode()
        self.assertNotRegex(page, r"<script>|\son\w+=|style=")
        status, headers, _ = server.ask("/studio.js")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/javascript; charset=utf-8"))
        policy = headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(json.loads(server.ask("/api/v1/openapi.json")[2]), API)

    def test_who_may_ask(self):
        server = self.serve()
        port = server.port
        for headers, status in (
                ({"Host": f"localhost:{port}"}, 200), ({"Host": "evil.example"}, 403), ({"Host": f"evil.example:{port}"}, 403),
                ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
                ({"Origin": f"http://127.0.0.1:{port}"}, 200), ({"Sec-Fetch-Site": "cross-site"}, 403)):
            self.assertEqual(server.ask("/api/v1/info", headers=headers)[0], status, headers)
            self.assertEqual(server.ask("/", headers=headers)[0], status, headers)
        self.assertEqual(server.ask("/api/v1/map", "POST", "{}", {"Content-Type": "text/plain"})[0], 415)
        with self.assertRaises(OSError):  # other addresses of this machine are not listened on
            socket.create_connection(("127.0.0.2", port), timeout=5)

    def test_tokens(self):
        server = self.serve("--address", "0.0.0.0")
        self.assertRegex(server.token, r"\A[0-9a-f]{32}\Z")
        self.assertEqual(server.ask("/")[0], 200)
        for headers, status in (({}, 401), ({"Authorization": "Bearer x"}, 401),
                                ({"Authorization": f"Bearer {server.token}"}, 200)):
            self.assertEqual(server.ask("/api/v1/info", headers=headers)[0], status)
        chosen = Server(self, "serve", "m.wbmap", "en.vec", "es.vec", "--token", "secret")
        self.assertEqual(chosen.ask("/api/v1/info")[0], 401)

    def test_limits(self):
        server = self.serve()
        for path, headers in (("info", {"X": "x" * 300_000}), ("info?" + "x" * 300_000, {})):
            try:
                self.assertGreaterEqual(server.ask("/api/v1/" + path, headers=headers)[0], 400)
            except (http.client.HTTPException, OSError):
                pass  # hung up on
        for length in (str((8 << 20) + 1), "9" * 30):
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
                connection.sendall(f"POST /api/v1/map HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: "
                                   f"application/json\r\nContent-Length: {length}\r\n\r\n".encode())
                self.assertRegex(connection.recv(1000), rb"\AHTTP/1.1 4\d\d |\A\Z")
        for garbage in (b"\r\n\r\n", b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00" * 50,
                        b"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
                connection.sendall(garbage)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(4096):
                    pass
        server.get("info")
        held = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(140)]
        for one in held:
            one.close()
        server.get("info")

    def test_it_ends_when_it_is_told_to(self):
        server = self.serve()
        waiting = server.connect()
        waiting.request("GET", "/api/v1/events")
        answer = waiting.getresponse()
        self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
        server.end()
        try:
            answer.read()
        except http.client.IncompleteRead:
            pass  # whether the end of the stream is still sent is a matter of luck
        self.assertEqual(server.process.returncode, 0)

    def test_wrong_usage(self):
        self.align()
        taken = Server(self, "serve", "m.wbmap", "en.vec", "es.vec")
        line = self.fail(1, "serve", "m.wbmap", "en.vec", "es.vec", "--port", str(taken.port))
        self.assertIn("cannot listen", line)
        self.assertIn("--port", self.fail(2, "serve", "m.wbmap", "en.vec", "es.vec", "--port", "70000"))
        self.assertIn("--address", self.fail(2, "serve", "m.wbmap", "en.vec", "es.vec", "--address", "no such place"))
        self.fail(1, "serve", "nosuch.wbmap", "en.vec", "es.vec")
        self.fail(1, "studio", "m.wbmap", "en.vec", "es.vec", "--lexicon", "nosuch.txt")


class DescriptionTest(unittest.TestCase):
    def test_openapi(self):
        """What it refers to is there; every operation has a name and answers."""
        for reference in re.findall(r'"\$ref": "#/components/schemas/(\w*)"', json.dumps(API)):
            self.assertIn(reference, API["components"]["schemas"])
        jsonschema.Draft202012Validator.check_schema({"$defs": API["components"]["schemas"]})
        names = [operation["operationId"] for path in API["paths"].values() for method, operation in path.items()
                 if method != "parameters"]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
