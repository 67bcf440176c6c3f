"""Projects of the studio: decisions that last, also through kill -9; suggestions; training again; two programs at once."""

import json
import random
import signal
import sqlite3
import unittest

import jsonschema

from api_test import schema_of
from program import TRAIN, vec_text
from server import Server, StudioTest


class ProjectTest(StudioTest):
    def studio(self, *options):
        return self.serve("--lexicon", "train.txt", "--author", "me", *options, command="studio")

    def decide(self, server, source, target="", verdict="accepted", status=201, **more):
        body = {"source": source, "verdict": verdict, **more}
        if target:
            body["target"] = target
        return server.post("decisions", body, status)

    def suggestions(self, server, **options):
        """All of them, once they are made."""
        jobs = server.get("jobs")["jobs"]
        server.wait(next(job["id"] for job in jobs if job["kind"] == "review"))
        return server.get("review?count=1000&order=" + options.get("order", "use"))

    def test_decisions(self):
        server = self.studio()
        made = self.decide(server, "e100", "s100")
        jsonschema.validate(made, schema_of("/decisions", "post", "201"))
        self.assertEqual((made["author"], made["verdict"]), ("me", "accepted"))
        self.decide(server, "e101", "<b>&'\"", "rejected", author="you")
        skipped = self.decide(server, "e102", verdict="skipped")
        listed = server.get("decisions")
        jsonschema.validate(listed, schema_of("/decisions"))
        self.assertEqual([one["id"] for one in listed["decisions"]], [3, 2, 1])
        self.assertEqual(listed["standing"], {"accepted": 1, "rejected": 1, "skipped": 1})
        self.assertEqual(server.get("word?word=e100")["known"], [{"word": "s100", "how": "accepted"}])
        self.assertTrue(server.get(f"decisions/{skipped['id']}", method="DELETE")["undone"])
        server.get(f"decisions/{skipped['id']}", method="DELETE", status=404)
        self.assertEqual(server.get("decisions")["standing"]["skipped"], 0)
        errors = server.end()
        self.assertEqual(errors, b"")
        again = self.studio()
        self.assertEqual(again.get("decisions")["standing"], {"accepted": 1, "rejected": 1, "skipped": 0})
        self.assertEqual(again.get("info")["project"], "m.wbproject")

    def test_bad_decisions(self):
        server = self.studio()
        good = {"source": "e1", "target": "s1", "verdict": "accepted"}
        for change in ({"source": ""}, {"source": 1}, {"source": None}, {"target": ""}, {"target": ["s1"]}, {"verdict": "maybe"},
                       {"verdict": 1}, {"source": "x" * 2001}, {"author": ""}, {"more": 1}):
            server.post("decisions", {**good, **change}, status=400)
        for name in good:
            server.post("decisions", {key: value for key, value in good.items() if key != name}, status=400)
        self.assertEqual(server.ask("/api/v1/decisions", "POST", b'{"source": "\xff", "target": "a", "verdict": "accepted"}',
                                    {"Content-Type": "application/json"})[0], 400)
        for path in ("decisions/0", "decisions/x", "decisions/99", "decisions/1/2"):
            server.get(path, method="DELETE", status=404)
        for path in ("decisions?before=x", "decisions?count=0", "review?order=best", "export?format=exe", "compare",
                     "compare?first=1", "compare?first=1&second=99"):
            server.get(path, status=400)
        for path, body, status in (("train", {"x": 1}, 400), ("mappings/1", {"action": "eat"}, 400), ("mappings/9", {"action": "keep"}, 404),
                                   ("mappings/1", {"action": "drop"}, 409), ("import", {"text": 1}, 400), ("import", {"text": ""}, 400),
                                   ("import", {"text": "one two three"}, 400), ("import", {"text": "a b", "verdict": "skipped"}, 400)):
            server.post(path, body, status)
        self.assertEqual(server.get("decisions")["decisions"], [])

    def test_reading_servers_change_nothing(self):
        server = self.serve()
        for path in ("decisions", "review", "export"):
            server.get(path, status=403)
        for path in ("decisions", "import", "train", "mappings/1"):
            server.post(path, {}, 403)
        server.get("decisions/1", method="DELETE", status=403)
        self.assertNotIn("m.wbproject", self.names())

    def test_suggestions(self):
        server = self.studio()
        review = self.suggestions(server, order="frequency")
        jsonschema.validate(review, schema_of("/review"))
        self.assertTrue(review["complete"])
        self.assertEqual([one["word"] for one in review["suggestions"]], self.source_words[TRAIN:])
        first = review["suggestions"][0]
        self.decide(server, first["word"], first["candidates"][0]["word"], "rejected")
        self.decide(server, "e91", "s91")
        self.decide(server, "e92", verdict="skipped")
        review = server.get("review?count=2&order=frequency")
        self.assertEqual([one["word"] for one in review["suggestions"]], ["e90", "e93"])
        self.assertEqual(review["suggestions"][0]["candidates"][0], first["candidates"][1])
        self.assertEqual(review["open"], 58)

    def test_import_and_export(self):
        server = self.studio()
        text = "# comment\ne100\ts100\ne101\tNew\\tYork\n\u0645\t\u5915\n"
        self.assertEqual(server.post("import", {"text": text, "name": "mine.txt"}, 201), {"pairs": 3, "added": 3})
        self.assertEqual(server.post("import", {"text": text}, 201), {"pairs": 3, "added": 0})
        server.post("import", {"text": "e0 s0", "verdict": "rejected"}, 201)
        error = server.post("import", {"text": "a b\nc", "name": "bad.txt"}, 400)
        self.assertIn("bad.txt:2:", error["error"]["reason"])
        status, headers, data = server.ask("/api/v1/export?what=accepted")
        self.assertEqual(headers["Content-Disposition"], 'attachment; filename="dictionary.tsv"')
        self.assertEqual(data.decode(), "# source\ttarget\ne100\ts100\ne101\tNew\\tYork\n\u0645\t\u5915\n")
        everything = server.get("export?format=json")
        jsonschema.validate(everything, schema_of("/export"))
        self.assertEqual(len(everything), TRAIN - 1 + 3)
        self.assertNotIn("e0", [pair["source"] for pair in everything])
        self.assertEqual(server.ask("/api/v1/export?format=csv")[2].decode().splitlines()[0], "source,target,how")
        # What is exported, the program reads.
        self.write("mine.tsv", server.ask("/api/v1/export")[2])
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "mine.tsv", "--method", "procrustes", "-o", "mine.wbmap")

    def test_train_again(self):
        """A lexicon with mistakes: rejected and set right, it teaches more."""
        wrong = {f"e{i}": f"s{(i + 5) % 40}" for i in range(20)}
        self.write("train.txt", "".join(f"e{i} {wrong.get(f'e{i}', f's{i}')}\n" for i in range(40)))
        self.align("m.wbmap", "--method", "procrustes")
        options = ["--lexicon", "train.txt", "--validation", "test.txt"]
        server = Server(self, "studio", "m.wbmap", "en.vec", "es.vec", *options)
        for source, target in wrong.items():
            self.decide(server, source, target, "rejected")
            self.decide(server, source, "s" + source[1:])
        end = server.wait(server.post("train", {}, 202)["job"])
        self.assertEqual(end["state"], "done", end)
        mappings = server.get("mappings")
        jsonschema.validate(mappings, schema_of("/mappings"))
        new = mappings["mappings"][-1]
        facts = new["facts"]
        self.assertEqual((new["id"], new["state"], facts["accepted"], facts["removed"], facts["pairs"]),
                         (end["result"]["mapping"], "candidate", 20, 20, 40))
        self.assertGreater(facts["scores"]["precision"][0], facts["before"]["precision"][0])
        compared = server.get(f"compare?first=1&second={new['id']}")
        jsonschema.validate(compared, schema_of("/compare"))
        self.assertEqual(compared["second"], facts["scores"]["precision"][0])
        self.assertEqual(compared["only_second"], sum(one["second_right"] and not one["first_right"] for one in compared["different"]))
        kept = server.post(f"mappings/{new['id']}", {"action": "keep"})
        self.assertEqual((kept["state"], kept["current"]), ("kept", True))
        self.assertEqual(server.get("info")["mapping"], new["id"])
        # What the page says is what the program says with the mapping that it saves.
        self.write("new.wbmap", server.ask(f"/api/v1/mappings/{new['id']}")[2])
        said = self.succeed("translate", "new.wbmap", "en.vec", "es.vec", "e120", "--json").stdout
        self.assertEqual(server.ask("/api/v1/translate?word=e120")[2].decode(), said)
        server.end()
        again = Server(self, "studio", "m.wbmap", "en.vec", "es.vec", *options)
        self.assertEqual(again.get("info")["mapping"], new["id"])
        again.post("mappings/1", {"action": "keep"})
        self.assertEqual(again.get("info")["mapping"], 1)
        self.assertEqual(again.post(f"mappings/{new['id']}", {"action": "drop"})["state"], "dropped")

    def test_without_a_validation_lexicon_the_old_mapping_is_made_anew_without_the_words_held_out(self):
        server = self.studio()
        self.decide(server, "e100", "s100")
        end = server.wait(server.post("train", {}, 202)["job"])
        self.assertEqual(end["state"], "done", end)
        mappings = server.get("mappings")["mappings"]
        self.assertEqual([one["state"] for one in mappings], ["given", "base", "candidate"])
        self.assertEqual(mappings[2]["facts"]["compared_with"], mappings[1]["id"])
        self.assertLess(mappings[2]["facts"]["pairs"], TRAIN + 1)

    def test_nothing_to_learn_from(self):
        server = self.serve(command="studio")
        self.assertIn("nothing to learn from", server.post("train", {}, 409)["error"]["reason"])
        shared = Server(self, "studio", "en.vec", "en.vec")
        shared.post("train", {}, 409)
        self.assertEqual(shared.get("info")["project"], "en.vec.wbproject")
        self.assertEqual(shared.get("mappings")["mappings"], [])

    def test_comparing_given_mappings(self):
        self.align("other.wbmap", "--method", "procrustes")
        server = self.serve("--validation", "test.txt", "--compare", "other.wbmap")
        self.assertEqual([one["name"] for one in server.get("mappings")["mappings"]], ["as it was given", "other.wbmap"])
        jsonschema.validate(server.get("compare?first=1&second=2"), schema_of("/compare"))
        self.assertEqual(server.ask("/api/v1/mappings/2")[2], self.read("other.wbmap"))

    def test_killed_at_any_moment(self):
        """Fifty times kill -9 while decisions are sent: what was answered is there."""
        rng = random.Random(5)
        answered, sent = set(), 0
        for _ in range(50):
            server = self.studio()
            connection = server.connect()
            last = rng.randrange(1, 12)
            for i in range(last + 1):
                sent += 1
                body = json.dumps({"source": f"w{sent}", "target": "x", "verdict": "accepted"})
                connection.request("POST", "/api/v1/decisions", body, {"Content-Type": "application/json"})
                if i == last:
                    # While the last one is on its way, or is written, or is answered.
                    for _ in range(rng.randrange(0, 3000)):
                        pass
                    server.process.send_signal(signal.SIGKILL)
                try:
                    answer = connection.getresponse()
                    answer.read()
                except (OSError, Exception):  # killed
                    break
                if answer.status == 201:
                    answered.add(f"w{sent}")
            server.end(signal.SIGKILL)
        final = self.studio()
        kept = {one["source"] for one in final.get("decisions?count=10000")["decisions"]}
        self.assertGreater(len(answered), 50)
        self.assertLessEqual(answered, kept)
        final.end()
        with sqlite3.connect(self.path("m.wbproject")) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])

    def test_two_programs_on_one_project(self):
        one, two = self.studio(), Server(self, "studio", "m.wbmap", "en.vec", "es.vec", "--lexicon", "train.txt")
        connection = two.connect()
        connection.request("GET", "/api/v1/events")
        events = connection.getresponse()
        self.decide(one, "e100", "s100")
        while (line := events.fp.readline()) != b"event: decision\n":
            self.assertTrue(line)
        self.assertEqual(two.get("decisions")["standing"]["accepted"], 1)
        self.assertEqual(two.get("word?word=e100")["known"], [{"word": "s100", "how": "accepted"}])
        connection.close()

    def test_wrong_projects(self):
        Server(self, "studio", "en.vec", "es.vec", "--project", "p.wbproject").end()
        self.write("fr.vec", vec_text([f"f{i}" for i in range(len(self.target_words))], self.target_rows))
        line = self.fail(1, "studio", "en.vec", "fr.vec", "--project", "p.wbproject")
        self.assertIn("other target words", line)
        self.write("text.wbproject", "no database" * 100)
        self.assertIn("text.wbproject", self.fail(1, "studio", "en.vec", "es.vec", "--project", "text.wbproject"))
        self.fail(2, "studio", "en.vec", "es.vec", "--project", "en.vec")
        self.assertIn("--project", self.fail(2, "studio", "en.vec", "es.vec", "--project", "-"))


if __name__ == "__main__":
    unittest.main()
