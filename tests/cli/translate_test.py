"""wordbridge translate"""

import hashlib
import csv
import json
import unittest

from program import CommandLineTest, vec_text


class TranslateTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.align("m.wbmap", "--no-rerank")
        self.files = ["m.wbmap", "en.vec", "es.vec"]

    def test_words_as_arguments(self):
        result = self.succeed("translate", *self.files, "e100", "e120")
        lines = [line.split("\t") for line in result.stdout.splitlines()]
        self.assertEqual(len(lines), 10)
        self.assertEqual([line[:3] for line in (lines[0], lines[5])], [["e100", "1", "s100"], ["e120", "1", "s120"]])
        scores = [float(line[3]) for line in lines[:5]]
        self.assertEqual(scores, sorted(scores, reverse=True))

    def test_words_on_standard_input(self):
        by_arguments = self.succeed("translate", *self.files, "e100", "e120").stdout
        for text in ("e100\ne120\n", "e100\ne120", "\n e100 \r\n\t\ne120\n"):
            self.assertEqual(self.succeed("translate", *self.files, input=text).stdout, by_arguments)
        self.assertEqual(self.succeed("translate", *self.files, input="").stdout, "")

    def test_answers_each_line_as_it_comes(self):
        with self.start("translate", *self.files, "--count", "1", "-q", stdin=-1) as process:
            for word, translation in (("e100", "s100"), ("e120", "s120")):
                process.stdin.write(word.encode() + b"\n")
                process.stdin.flush()
                self.assertEqual(process.stdout.readline().split(b"\t")[2], translation.encode())
            process.stdin.close()
            self.assertEqual(process.wait(), 0)

    def test_count_and_criterion(self):
        for criterion in ("nn", "csls", "isf", "gc"):
            result = self.succeed("translate", *self.files, "e100", "--count", "3", "--criterion", criterion)
            self.assertEqual(len(result.stdout.splitlines()), 3)
            self.assertTrue(result.stdout.startswith("e100\t1\ts100\t"))
        cosine = float(self.succeed("translate", *self.files, "e100", "-n1", "--criterion", "nn").stdout.split("\t")[3])
        self.assertAlmostEqual(cosine, 1, delta=0.01)

    def test_json(self):
        result = self.succeed("translate", *self.files, "e100", "--json", "nosuch", "--count", "2")
        answers = json.loads(result.stdout)
        self.assertEqual([answer["query"] for answer in answers], ["e100", "nosuch"])
        self.assertEqual([answer["origin"] for answer in answers], ["vocabulary", "unknown"])
        self.assertEqual(answers[0]["translations"][0]["word"], "s100")
        self.assertEqual(len(answers[0]["translations"]), 2)
        self.assertEqual(answers[1]["translations"], [])
        self.assertEqual(json.loads(self.succeed("translate", *self.files, "--json", input="").stdout), [])

    def test_unknown_words(self):
        result = self.succeed("translate", *self.files, "nosuch", "e100", "-q")
        self.assertEqual(result.stderr, "wordbridge: warning: 'nosuch' is not in the source vocabulary\n")
        result = self.run_program("translate", *self.files, "nosuch", "nothing", "-q")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(len(result.stderr.splitlines()), 2)

    def test_any_string_can_be_a_word(self):
        odd = ["[e1,e2]", "%%", "{}", "-5", "--json", "a,b", "x=y", "@e1", "ñandú", "two words"]
        rows = self.source_rows[: len(odd)]
        self.write("odd.vec", vec_text([word.replace(" ", "\u00a0") for word in odd], rows))
        odd[-1] = "two\u00a0words"
        result = self.succeed("translate", "m.wbmap", "odd.vec", "es.vec", "-n1", "-q", "--json", "--", *odd)
        answers = json.loads(result.stdout)
        self.assertEqual([answer["query"] for answer in answers], odd)
        self.assertEqual({answer["origin"] for answer in answers}, {"vocabulary"})
        by_input = self.succeed("translate", "m.wbmap", "odd.vec", "es.vec", "-n1", "-q", "--json", input="\n".join(odd))
        self.assertEqual(by_input.stdout, result.stdout)

    def test_messages_are_one_line_whatever_the_words(self):
        result = self.run_program("translate", *self.files, "-q", "a\nb\x1b[2J", "[x]")
        self.assertEqual(result.stderr, "wordbridge: warning: 'a\\nb\\x1b[2J' is not in the source vocabulary\n"
                                        "wordbridge: warning: '[x]' is not in the source vocabulary\n")

    def test_a_criterion_of_a_later_version(self):
        content = self.read("m.wbmap")[:-32].replace(b'"criterion":"csls"', b'"criterion":"best"')
        self.write("later.wbmap", content + hashlib.sha256(content).digest())
        self.assertIn("criterion 'best'", self.fail(2, "translate", "later.wbmap", "en.vec", "es.vec", "e1"))
        self.succeed("translate", "later.wbmap", "en.vec", "es.vec", "e1", "--criterion", "nn")

    def test_letter_case_of_what_people_type(self):
        self.assertTrue(self.succeed("translate", *self.files, "E100").stdout.startswith("E100\t1\ts100"))
        self.assertEqual(self.run_program("translate", *self.files, "E100", "--case", "exact").returncode, 1)

    def test_blanks_and_decomposed_letters_of_what_people_type(self):
        self.write("odd.vec", vec_text(["ma\u00f1ana", "night"], self.source_rows[:2]))
        for command in (["translate", "m.wbmap", "odd.vec", "es.vec"], ["neighbors", "odd.vec"]):
            plain = self.succeed(*command, "ma\u00f1ana", "night", "-n1")
            self.assertNotIn("accents", plain.stderr)
            typed = self.succeed(*command, "man\u0303ana", "night\n", "-n1", "--json")
            self.assertIn("'night\\n' is not in the vocabulary; 'night' is: blanks around", typed.stderr)
            self.assertEqual(typed.stderr.count("accents"), 2)
            answers = json.loads(typed.stdout)
            self.assertEqual([answer["word"] for answer in answers], ["ma\u00f1ana", "night"])
            quiet = self.succeed(*command, "man\u0303ana", "-n1", "-q")
            self.assertNotIn("accents", quiet.stderr)
            self.assertEqual(self.run_program(*command, "nig ht").returncode, 1)

    def test_takes_as_many_words_as_the_mapping_was_fitted_on(self):
        self.align("short.wbmap", "--max-words", "100")
        result = self.run_program("translate", "short.wbmap", "en.vec", "es.vec", "e120")
        self.assertEqual(result.returncode, 1)
        self.assertIn("en.vec: 100 words", result.stderr)
        result = self.succeed("translate", "short.wbmap", "en.vec", "es.vec", "e120", "--max-words", "0", "-q")
        self.assertIn("warning: en.vec: not the source vectors that the mapping was fitted on", result.stderr)

    def test_warns_of_other_vectors(self):
        self.write("other.vec", vec_text(self.source_words, self.target_rows))
        result = self.succeed("translate", "m.wbmap", "other.vec", "es.vec", "e1", "-q")
        self.assertIn("wordbridge: warning: other.vec: not the source vectors", result.stderr)
        swapped = self.succeed("translate", "m.wbmap", "es.vec", "es.vec", "s1", "-q")
        self.assertIn("they are its target vectors", swapped.stderr)

    def test_refuses_another_dimension_before_reading(self):
        self.write("short.vec", vec_text(self.target_words, [row[:5] for row in self.target_rows]))
        self.assertEqual(self.fail(2, "translate", "m.wbmap", "en.vec", "short.vec", "e1"),
                         "the mapping takes target vectors of dimension 8, but short.vec has dimension 5")

    def test_same_whatever_the_threads_and_formats(self):
        expected = self.succeed("translate", *self.files, *self.source_words, "--threads", "1").stdout
        self.assertEqual(self.succeed("translate", *self.files, *self.source_words, "--threads", "2").stdout, expected)
        self.succeed("convert", "en.vec", "en.wbvec")
        self.succeed("convert", "es.vec", "es.npy")
        result = self.succeed("translate", "m.wbmap", "en.wbvec", "es.npy", *self.source_words, "-q")
        self.assertEqual((result.stdout, result.stderr), (expected, ""))


class OutputTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.align("m.wbmap", "--no-rerank")
        self.files = ["m.wbmap", "en.vec", "es.vec"]

    def test_files_and_forms(self):
        lines = self.succeed("translate", *self.files, "e1", "e2", "-n", "2").stdout
        self.assertEqual(lines.count("\n"), 4)
        self.succeed("translate", *self.files, "e1", "e2", "-n", "2", "-o", "out.tsv")
        self.assertEqual(self.read("out.tsv").decode(), lines)
        self.assertEqual(self.succeed("translate", *self.files, "e1", "e2", "-n", "2", "--tsv", "-o", "-").stdout, lines)
        for name, options in (("out.csv", []), ("out.txt", ["--csv"])):
            self.succeed("translate", *self.files, "e1", "e2", "-n", "2", "-o", name, *options)
            rows = list(csv.reader(self.read(name).decode().splitlines()))
            self.assertEqual(rows[0], ["word", "rank", "translation", "score", "known"])
            self.assertEqual(["\t".join(row) for row in rows[1:]], lines.splitlines())
        self.succeed("translate", *self.files, "e1", "-o", "out.json")
        self.assertEqual(json.loads(self.read("out.json"))[0]["translations"][0]["word"], "s1")
        self.assertIn("excludes", self.fail(2, "translate", *self.files, "e1", "--json", "--csv"))
        self.assertIn("is also an input", self.fail(2, "translate", *self.files, "e1", "-o", "en.vec"))

    def test_words_of_a_file(self):
        self.write("words.txt", "e1\r\n\n  e2 \n")
        expected = self.succeed("translate", *self.files, "e1", "e2").stdout
        self.assertEqual(self.succeed("translate", *self.files, "--input", "words.txt").stdout, expected)
        self.assertEqual(self.succeed("translate", *self.files, "--input", "-", input="e1\ne2\n").stdout, expected)
        self.assertIn("given twice", self.fail(2, "translate", *self.files, "e1", "--input", "words.txt"))
        self.fail(1, "translate", *self.files, "--input", "none.txt")

    def test_formulas_are_disarmed(self):
        self.write("en.vec", self.read("en.vec").replace(b"\ne1 ", b"\n=1+1 "))
        for option, cell in (("--csv", '"=1+1"'), ("--safe-csv", "\"'=1+1\"")):
            out = self.succeed("translate", *self.files, "=1+1", option).stdout
            self.assertTrue(out.splitlines()[1].startswith(cell + ",1,s1,"), out)

    def test_aligned_files_without_a_mapping(self):
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "en.wbvec")
        self.succeed("apply", "m.wbmap", "es.vec", "--side", "target", "-o", "es.wbvec")
        expected = self.succeed("translate", *self.files, "e5", "e6", "--criterion", "nn").stdout
        mapped = self.succeed("translate", "en.wbvec", "es.wbvec", "e5", "e6", "--criterion", "nn").stdout
        self.assertEqual([line.split("\t")[:3] for line in mapped.splitlines()],
                         [line.split("\t")[:3] for line in expected.splitlines()])
        self.assertIn("a mapping and two files of vectors are wanted", self.fail(2, "translate", "en.wbvec"))
        self.assertIn("the vectors of two languages are wanted", self.fail(2, "translate", "m.wbmap", "en.vec"))


if __name__ == "__main__":
    unittest.main()
