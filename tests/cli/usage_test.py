"""How the program is called: help, version, wrong usage, completion."""

import subprocess
import unittest

from program import CommandLineTest

COMMANDS = ["align", "translate", "induce", "evaluate translation", "evaluate analogy", "evaluate similarity",
            "evaluate hubness", "evaluate all", "reproduce", "apply", "convert", "inspect", "export", "import",
            "completion"]


class HelpTest(CommandLineTest):
    def test_lists_every_command(self):
        result = self.succeed("--help")
        self.assertEqual(result.stderr, "")
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", result.stdout)

    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            result = self.succeed(*command.split(), "--help")
            self.assertTrue(result.stdout.startswith(f"Usage: wordbridge {command} [options]"), result.stdout)
            examples = result.stdout[result.stdout.index("Examples:"):]
            self.assertIn(f"wordbridge {command} ", examples)
            for option in ("--quiet", "--threads", "--seed", "--version"):
                self.assertIn(option, result.stdout)
            self.assertEqual(self.succeed(*command.split(), "-h").stdout, result.stdout)

    def test_groups_have_help(self):
        self.assertIn("translation", self.succeed("evaluate", "--help").stdout)

    def test_lines_fit_a_terminal(self):
        for command in ["", *COMMANDS]:
            for line in self.succeed(*command.split(), "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 110, line)

    def test_version(self):
        for arguments in (["--version"], ["align", "--version"], ["evaluate", "translation", "--version"]):
            result = self.succeed(*arguments)
            self.assertRegex(result.stdout, r"\Awordbridge \d+\.\d+\.\d+\nkernel \w+, BLAS core \w+, \d+ threads\n\Z")


class WrongUsageTest(CommandLineTest):
    def test_is_one_line_that_names_the_help(self):
        self.assertEqual(self.fail(2), "a command is missing; see 'wordbridge --help'")
        self.assertEqual(self.fail(2, "evaluate"), "a command is missing; see 'wordbridge evaluate --help'")
        self.assertEqual(self.fail(2, "frobnicate"), "unknown command 'frobnicate'; see 'wordbridge --help'")
        self.assertIn("did you mean 'align'?", self.fail(2, "aling"))
        self.assertIn("did you mean 'translation'?", self.fail(2, "evaluate", "translatoin"))
        self.assertIn("did you mean '--method'?", self.fail(2, "align", "a", "b", "-o", "c", "--metod", "x"))
        self.assertIn("unexpected argument 'c'", self.fail(2, "align", "a", "b", "c", "-o", "d"))
        self.assertIn("source is required", self.fail(2, "align"))
        self.assertIn("--output is required", self.fail(2, "align", "en.vec", "es.vec"))
        self.assertIn("see 'wordbridge evaluate translation --help'", self.fail(2, "evaluate", "translation", "a"))

    def test_values_out_of_range(self):
        self.assertIn("'best' is none of auto, rcsls", self.fail(2, "align", "a", "b", "-o", "c", "--method", "best"))
        for arguments in (["--count", "0"], ["--count", "-1"], ["--count", "five"], ["--neighbors", "0"],
                          ["--criterion", "cosine"], ["--threads", "-1"], ["--threads", "100000"], ["--seed", "x"],
                          ["--seed", "-1"], ["--max-words", "-5"], ["--max-words", "many"]):
            self.assertIn(arguments[0], self.fail(2, "translate", "m", "a", "b", "word", *arguments))

    def test_kernels_that_are_not_there(self):
        line = self.fail(2, "align", "no.vec", "no.vec", "-o", "m.wbmap", env={"WORDBRIDGE_KERNEL": "abacus"})
        self.assertRegex(line, "no kernels 'abacus' on this machine; it has .*portable")

    def test_options_that_exclude_each_other(self):
        self.assertIn("excludes", self.fail(2, "align", "en.vec", "es.vec", "-o", "m.wbmap", "--lexicon", "train.txt",
                                            "--identical-words"))
        self.assertIn("excludes", self.fail(2, "align", "en.vec", "es.vec", "-o", "m.wbmap", "--numerals",
                                            "--identical-words"))
        self.align()
        self.assertIn("excludes", self.fail(2, "evaluate", "translation", "m.wbmap", "en.vec", "es.vec", "--lexicon",
                                            "test.txt", "--json", "--markdown"))

    def test_odd_file_names(self):
        (self.folder / "en.vec").rename(self.folder / "[en,1].vec")
        (self.folder / "es.vec").rename(self.folder / "-es.vec")
        self.succeed("align", "--lexicon", "train.txt", "-o", "[m].wbmap", "--", "[en,1].vec", "-es.vec")
        self.succeed("evaluate", "translation", "--lexicon", "test.txt", "--", "[m].wbmap", "[en,1].vec", "-es.vec")
        self.assertIn("unknown option '-es.vec'", self.fail(2, "align", "[en,1].vec", "-es.vec", "-o", "m.wbmap"))

    def test_standard_input_twice(self):
        self.assertIn("standard input", self.fail(2, "align", "-", "-", "--lexicon", "train.txt", "-o", "m.wbmap"))
        self.assertIn("standard input", self.fail(2, "align", "-", "es.vec", "--lexicon", "-", "-o", "m.wbmap"))
        self.align()
        self.assertIn("standard input", self.fail(2, "translate", "m.wbmap", "-", "es.vec"))

    def test_outputs_that_are_inputs(self):
        before = self.read("en.vec")
        self.align()
        mapping = self.read("m.wbmap")
        (self.folder / "link.vec").symlink_to("en.vec")
        for arguments in (["align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "en.vec"],
                          ["align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "train.txt"],
                          ["align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "./link.vec"],
                          ["convert", "en.vec", "en.vec"],
                          ["convert", "en.vec", "link.vec"],
                          ["apply", "m.wbmap", "en.vec", "-o", "en.vec"],
                          ["apply", "m.wbmap", "en.vec", "--to", "text", "-o", "m.wbmap"],
                          ["export", "m.wbmap", "-o", "m.wbmap"],
                          ["evaluate", "translation", "m.wbmap", "en.vec", "es.vec", "--lexicon", "test.txt",
                           "--details", "test.txt"]):
            self.assertIn("is also an input", self.fail(2, *arguments))
        self.assertEqual(self.read("en.vec"), before)
        self.assertEqual(self.read("m.wbmap"), mapping)


class CompletionTest(CommandLineTest):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.succeed("completion", "bash").stdout
        quoted = " ".join(f"'{word}'" for word in words)
        program = (f"{script}\nCOMP_WORDS=({quoted})\nCOMP_CWORD={len(words) - 1}\n_wordbridge\n"
                   'printf "%s\\n" "${COMPREPLY[@]}"\n')
        result = subprocess.run(["bash", "-euc", program], capture_output=True, text=True, check=False)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_commands(self):
        self.assertEqual(self.complete("wordbridge", "tr"), ["translate"])
        self.assertEqual(sorted(self.complete("wordbridge", "")),
                         sorted({command.split()[0] for command in COMMANDS}))
        self.assertEqual(self.complete("wordbridge", "evaluate", "t"), ["translation"])
        self.assertEqual(self.complete("wordbridge", "--quiet", "ali"), ["align"])
        self.assertEqual(self.complete("wordbridge", "completion", ""), ["bash"])

    def test_options(self):
        self.assertEqual(self.complete("wordbridge", "align", "en.vec", "--max-w"), ["--max-words"])
        self.assertIn("--details", self.complete("wordbridge", "evaluate", "translation", "m", "--d"))
        self.assertIn("--version", self.complete("wordbridge", "--v"))

    def test_values(self):
        self.assertEqual(self.complete("wordbridge", "align", "--method", "p"), ["procrustes"])
        self.assertEqual(self.complete("wordbridge", "apply", "--side", ""), ["source", "target"])
        self.assertEqual(self.complete("wordbridge", "apply", "--side", "=", "t"), ["target"])
        self.assertEqual(self.complete("wordbridge", "apply", "--side", "="), ["source", "target"])

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(self.complete("wordbridge", "align", "en"), [])


if __name__ == "__main__":
    unittest.main()
