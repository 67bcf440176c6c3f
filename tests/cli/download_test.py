"""wordbridge download, and reproduce --download, against a server that behaves badly"""

import hashlib
import http.server
import io
import json
import os
import resource
import signal
import threading
import unittest
import zipfile

from program import CommandLineTest, WORDBRIDGE

BODY = b"".join(b"word%d 0.25 -1.5 0.125\n" % i for i in range(20_000))


class Server(http.server.ThreadingHTTPServer):
    """Files by their paths; what to do wrong is a list of words by path, one taken off for each request."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.wrong, self.requests, self.headers = {}, {}, [], {}
        self.etag = '"first"'
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        pass  # connections that are cut


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        server = self.server
        server.requests.append((self.path, self.headers.get("Range")))
        todo = server.wrong.get(self.path, [])
        what = todo.pop(0) if todo else "good"
        body = server.files.get(self.path)
        if what.startswith("to "):
            self.send_response(302)
            self.send_header("Location", what[3:])
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif what.isdigit() or body is None:
            self.send_error(int(what) if what.isdigit() else 404)
        else:
            self.send_body(body, what)

    def send_body(self, body, what):
        server, begin = self.server, 0
        asked = self.headers.get("Range", "")
        if asked.startswith("bytes=") and what != "no ranges" and self.headers.get("If-Range", server.etag) == server.etag:
            begin = int(asked[6:].split("-")[0])
            if begin >= len(body):
                return self.send_error(416)
            self.send_response(206)
            shown = begin + 7 if what == "another part" else begin
            self.send_header("Content-Range", f"bytes {shown}-{len(body) - 1}/{len(body)}")
        else:
            self.send_response(200)
        rest = body[begin:]
        if server.etag and what != "no version":
            self.send_header("ETag", server.etag)
        if what == "long lie":
            self.send_header("Content-Length", str(len(rest) + 1000))
        elif what == "short lie":
            self.send_header("Content-Length", str(len(rest) - 1000))
        elif what != "no length":
            self.send_header("Content-Length", str(len(rest)))
        else:
            self.close_connection = True
        self.end_headers()
        self.wfile.write(rest[:len(rest) // 2] if what.startswith("cut") else rest)
        self.wfile.flush()
        if what != "good":
            self.close_connection = True


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class DownloadTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.server.files["/v/wiki.xx.vec"] = BODY
        self.write_sources()
        for variable in "http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "no_proxy", "NO_PROXY":
            value = os.environ.pop(variable, None)
            if value is not None:
                self.addCleanup(os.environ.__setitem__, variable, value)

    def write_sources(self, **more):
        self.write("sources.json", json.dumps([
            {"files": "wiki.*.vec", "from": "the shelf", "vectors": "wiki", "url": "https://nowhere.invalid/v/{name}", **more},
            {"files": "packed.*.vec", "from": "a box", "vectors": "packed", "zipped": True,
             "url": "https://nowhere.invalid/z/{name}.zip"},
            {"files": "??-??.txt", "from": "the desk", "lexicon": True, "url": "https://nowhere.invalid/d/{name}"},
            {"files": "by-hand.*", "from": "a friend"}]))

    def command(self, *what, options=("--allow-http",)):
        mirror = () if "--mirror" in options else ("--mirror", self.server.url)
        return ("download", *(what or ("vectors", "xx")), "--to", "data", "--sources", "sources.json", "--retry-wait", "0",
                *mirror, *options)

    def download(self, *what, **options):
        return self.succeed(*self.command(*what, **options))

    def refuse(self, *what, code=1, options=("--allow-http",)):
        result = self.run_program("--quiet", *self.command(*what, options=options))
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertRegex(result.stderr, r"\Awordbridge: [^\n]+\n\Z")
        self.assertFalse((self.folder / "data/wiki.xx.vec").exists(), "never half a file under the final name")
        return result.stderr

    def fetched(self):
        return (self.folder / "data/wiki.xx.vec").read_bytes()

    def left(self):
        return sorted(path.name for path in (self.folder / "data").iterdir())

    def test_a_file_and_what_is_known_of_it(self):
        result = self.download()
        self.assertEqual(self.fetched(), BODY)
        self.assertIn("fetched\twiki.xx.vec\thttps://nowhere.invalid/v/wiki.xx.vec", result.stdout)
        record = json.loads((self.folder / "data/downloads.json").read_text())
        self.assertEqual(record["wiki.xx.vec"]["sha256"], sha256(BODY))
        self.assertEqual(record["wiki.xx.vec"]["bytes"], len(BODY))
        self.assertEqual(self.left(), ["downloads.json", "wiki.xx.vec"])
        requests = len(self.server.requests)
        self.assertIn("there\twiki.xx.vec", self.download().stdout)
        self.assertEqual(len(self.server.requests), requests, "what is there is not fetched again")

    def test_what_is_cut_goes_on(self):
        self.server.wrong["/v/wiki.xx.vec"] = ["cut", "cut", "cut"]
        self.download()
        self.assertEqual(self.fetched(), BODY)
        half, quarter = len(BODY) // 2, len(BODY) - len(BODY) // 2
        self.assertEqual([asked for _, asked in self.server.requests][:2], [None, f"bytes={half}-"])
        self.assertLess(quarter, len(BODY))
        self.assertEqual(len(self.server.requests), 4)

    def test_a_later_run_goes_on(self):
        self.server.wrong["/v/wiki.xx.vec"] = ["cut", "503", "503"]
        message = self.refuse(options=("--allow-http", "--retries", "1"))
        self.assertIn("503", message)
        self.assertIn("wiki.xx.vec.unfinished", self.left())
        result = self.download()
        self.assertIn(f"resumed at {len(BODY) // 2}", result.stderr)
        self.assertEqual(self.fetched(), BODY)
        self.assertEqual(self.left(), ["downloads.json", "wiki.xx.vec"])

    def test_another_version_is_not_joined_to_the_first(self):
        self.server.wrong["/v/wiki.xx.vec"] = ["cut", "503"]
        self.refuse(options=("--allow-http", "--retries", "0"))
        self.server.files["/v/wiki.xx.vec"] = other = BODY.replace(b"0.25", b"0.75")
        self.server.etag = '"second"'
        self.download()
        self.assertEqual(self.fetched(), other)

    def test_a_server_without_versions_or_ranges_begins_anew(self):
        for wrong in (["cut", "no ranges"], ["no version", "good"]):
            with self.subTest(wrong):
                self.server.wrong["/v/wiki.xx.vec"] = list(wrong)
                self.download()
                self.assertEqual(self.fetched(), BODY)
                (self.folder / "data/wiki.xx.vec").unlink()

    def test_lies_about_lengths(self):
        self.server.wrong["/v/wiki.xx.vec"] = ["long lie"] * 20
        self.assertIn("bytes are kept", self.refuse(options=("--allow-http", "--retries", "2")))
        (self.folder / "data/wiki.xx.vec.unfinished").unlink()
        (self.folder / "data/wiki.xx.vec.unfinished.state").unlink()
        self.write_sources(sha256={"wiki.xx.vec": sha256(BODY)})
        self.server.wrong["/v/wiki.xx.vec"] = ["short lie"]
        self.assertIn("SHA-256", self.refuse())
        self.server.wrong["/v/wiki.xx.vec"] = ["no length"]
        self.download()
        self.assertEqual(self.fetched(), BODY)

    def test_another_part_than_was_asked_for(self):
        self.server.wrong["/v/wiki.xx.vec"] = ["cut", "another part"]
        self.assertIn("another part", self.refuse())

    def test_redirects_within_limits(self):
        self.server.files["/moved"] = BODY
        self.server.wrong["/v/wiki.xx.vec"] = ["to /moved"]
        self.download()
        self.assertEqual(self.fetched(), BODY)
        (self.folder / "data/wiki.xx.vec").unlink()
        self.server.wrong["/v/wiki.xx.vec"] = ["to /v/wiki.xx.vec"] * 50
        self.assertIn("more than 10 redirects", self.refuse())
        secret = self.write("secret", "mine\n")
        for target in (f"file://{secret}", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x"):
            self.server.wrong["/v/wiki.xx.vec"] = [f"to {target}"]
            self.assertIn("not https", self.refuse(options=("--allow-http", "--allow-file")))

    def test_only_https_unless_somebody_says_otherwise(self):
        self.assertIn("--allow-http", self.refuse(options=()))
        self.assertEqual(self.server.requests, [])
        (self.folder / "shelf/v").mkdir(parents=True)
        (self.folder / "shelf/v/wiki.xx.vec").write_bytes(BODY)
        mirror = ("--mirror", f"file://{self.folder}/shelf")
        self.assertIn("--allow-file", self.refuse(options=mirror))
        self.download(options=(*mirror, "--allow-file"))
        self.assertEqual(self.fetched(), BODY)

    def test_checksums_that_are_known(self):
        self.write_sources(md5={"wiki.xx.vec": "0" * 32})
        self.assertIn("MD5", self.refuse())
        self.write_sources(md5={"wiki.xx.vec": hashlib.md5(BODY).hexdigest()})
        self.download()

    def test_what_changed_since_it_was_downloaded(self):
        self.download()
        (self.folder / "data/wiki.xx.vec").unlink()
        self.server.files["/v/wiki.xx.vec"] = BODY[:1000]
        self.assertIn("--accept-changed", self.refuse())
        self.download(options=("--allow-http", "--accept-changed"))
        self.assertEqual(self.fetched(), BODY[:1000])

    def test_verifies_what_is_there(self):
        self.download()
        self.assertIn("1 file verified", self.download(options=("--allow-http", "--verify")).stderr)
        (self.folder / "data/wiki.xx.vec").write_bytes(BODY[:-1])
        result = self.run_program(*self.command(options=("--allow-http", "--verify")))
        self.assertEqual(result.returncode, 1)
        self.assertIn("delete it and download it again", result.stderr)

    def test_a_full_disk(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        result = self.run_program("--quiet", *self.command(), preexec_fn=small_files)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("cannot write", result.stderr)
        self.assertNotIn("wiki.xx.vec", self.left())
        self.download()
        self.assertEqual(self.fetched(), BODY, "and it goes on where there is room again")

    def test_errors_that_do_not_pass_are_told_at_once(self):
        del self.server.files["/v/wiki.xx.vec"]
        self.assertIn("404", self.refuse())
        self.assertEqual(len(self.server.requests), 1)

    def test_archives(self):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("note.txt", "hello")
            archive.writestr("deep/packed.xx.vec", BODY)
        self.server.files["/z/packed.xx.vec.zip"] = packed.getvalue()
        self.download("vectors", "xx", options=("--allow-http", "--from", "packed"))
        self.assertEqual((self.folder / "data/packed.xx.vec").read_bytes(), BODY)
        self.assertEqual(self.left(), ["downloads.json", "packed.xx.vec"])
        self.download("vectors", "xx", options=("--allow-http", "--from", "packed", "--verify"))

    def test_damaged_archives(self):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("packed.xx.vec", BODY)
        good = packed.getvalue()
        bad = [good[:-10], good[:100] + good[130:], good[:200] + bytes([good[200] ^ 1]) + good[201:], b"", b"PK\5\6" + b"\xff" * 18]
        for i, data in enumerate(bad):
            with self.subTest(i):
                self.server.files["/z/packed.xx.vec.zip"] = data or b"nothing"
                result = self.run_program("--quiet", *self.command("vectors", "xx", options=(
                    "--allow-http", "--from", "packed", "--accept-changed")))
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("not a sound zip archive", result.stderr)
                self.assertFalse((self.folder / "data/packed.xx.vec").exists())
                for path in (self.folder / "data").glob("*.zip"):
                    path.unlink()

    def test_lexicons_and_names(self):
        self.server.files["/d/en-xx.txt"] = b"one ein\n"
        self.download("lexicon", "en-xx")
        self.assertEqual((self.folder / "data/en-xx.txt").read_bytes(), b"one ein\n")
        for what, reason in ((("lexicon", "en"), "no pair of languages"), (("vectors", "../x"), "no language"),
                             (("vectors",), "languages are wanted"), (("lexicon", "en-xx", "a/b-xx"), "no language")):
            result = self.run_program("--quiet", *self.command(*what))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(reason, result.stderr)
        result = self.run_program("--quiet", *self.command("vectors", "xx", options=("--from", "nobody")))
        self.assertIn("wiki, packed are known", result.stderr)

    def test_all_that_an_experiment_needs(self):
        vectors = {"xx": b"3 2\na 1 0\nb 0 1\nc 1 1\n", "yy": b"3 2\nA 1 0\nB 0 1\nC 1 1\n"}
        for language, text in vectors.items():
            self.server.files[f"/v/wiki.{language}.vec"] = text
        self.server.files["/d/xx-yy.txt"] = b"a A\nb B\nc C\n"
        self.write("t.json", json.dumps({
            "name": "t", "title": "T", "measure": "translation",
            "settings": {"source_vectors": "wiki.{source}.vec", "target_vectors": "wiki.{target}.vec",
                         "train": "{source}-{target}.txt", "test": "{source}-{target}.txt", "criterion": "nn"},
            "columns": [{"name": "xx-yy", "source": "xx", "target": "yy"}],
            "rows": [{"name": "P", "align": "--method procrustes"}, {"name": "H", "align": "--method rcsls --init @by-hand.wbmap"}]}))
        listed = self.download("t.json", options=("--allow-http", "--dry-run")).stdout
        self.assertIn("would fetch\twiki.xx.vec", listed)
        self.assertIn("by hand\tby-hand.wbmap\ta friend", listed)
        self.assertEqual(self.server.requests, [])
        result = self.succeed("reproduce", "t.json", "--data", "data", "--download", "--sources", "sources.json", "--mirror",
                              self.server.url, "--allow-http", "--csv")
        self.assertIn("P,xx-yy,100", result.stdout)
        self.assertEqual(sorted(path for path, _ in self.server.requests), ["/d/xx-yy.txt", "/v/wiki.xx.vec", "/v/wiki.yy.vec"])

    def test_the_program_s_own_table(self):
        names = self.succeed("download", "vectors", "fr", "--to", "data", "--dry-run").stdout
        self.assertEqual(names, "would fetch\twiki.fr.vec\thttps://dl.fbaipublicfiles.com/fasttext/vectors-wiki/wiki.fr.vec\n")
        names = self.succeed("download", "vectors", "fr", "--from", "crawl", "--to", "data", "--dry-run").stdout
        self.assertIn("/vectors-crawl/cc.fr.300.vec.gz", names)
        names = self.succeed("download", "lexicon", "en-fr", "--to", "data", "--dry-run").stdout
        self.assertEqual([line.split("\t")[1] for line in names.splitlines()],
                         ["en-fr.0-5000.txt", "en-fr.5000-6500.txt", "en-fr.txt"])

    def test_tables_that_are_none(self):
        for text in ("{}", "[1]", '[{"from": "x"}]', '[{"files": "x", "url": "nowhere"}]', "[",
                     '[{"files": "x", "sha256": {"x": "123"}}]'):
            self.write("sources.json", text)
            self.assertIn("sources.json", self.refuse())

    def test_an_interrupted_download_goes_on(self):
        release = threading.Event()

        class Slow(Handler):
            def send_body(self, body, what):
                if what != "slow":
                    return super().send_body(body, what)
                self.send_response(200)
                self.send_header("ETag", self.server.etag)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[:6 << 20])
                self.wfile.flush()
                release.wait(60)

        big = BODY * 20
        self.server.files["/v/wiki.xx.vec"] = big
        self.server.RequestHandlerClass = Slow
        self.server.wrong["/v/wiki.xx.vec"] = ["slow"]
        with self.start(*self.command()) as process:
            unfinished = self.folder / "data/wiki.xx.vec.unfinished"
            while not unfinished.exists() or unfinished.stat().st_size < 6 << 20:
                self.assertIsNone(process.poll(), "it is still downloading")
            process.send_signal(signal.SIGINT)
            self.assertNotEqual(process.wait(60), 0)
            process.communicate()
        release.set()
        self.assertRegex(self.download().stderr, r"resumed at [1-9]")
        self.assertEqual(self.fetched(), big)


if __name__ == "__main__":
    unittest.main()
