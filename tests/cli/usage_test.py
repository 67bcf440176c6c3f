"""How the program is called: help, version, wrong usage, completion."""

import os
import shutil
import subprocess
import unittest

from program import CommandLineTest

COMMANDS = ["align", "adapt", "prepare", "translate", "neighbors", "induce", "evaluate translation",
            "evaluate analogy", "evaluate similarity", "evaluate hubness", "evaluate sentences",
            "evaluate retrieval", "evaluate all", "drift", "report", "reproduce", "download", "hub", "studio",
            "serve", "apply", "convert", "inspect", "export", "encoder", "invert", "compose", "import",
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

    def test_the_help_of_align_fits_on_a_screen(self):
        brief = self.succeed("align", "--help").stdout
        self.assertLessEqual(len(brief.splitlines()), 50)
        for option in ("--lexicon", "--method", "--output"):
            self.assertIn(option, brief)
        self.assertNotIn("--learning-rate", brief)
        self.assertEqual(self.succeed("align", "en.vec", "--help").stdout, brief)
        everything = self.succeed("align", "--help", "all").stdout
        for option in ("--learning-rate", "--icp-words", "--refine-with", "--max-words", "--swap-lexicon"):
            self.assertIn(option, everything)
        method = self.succeed("align", "--help", "rcsls").stdout
        self.assertTrue(method.startswith("rcsls: the paper's method"), method)
        for option in ("--learning-rate", "--checkpoint"):
            self.assertIn(option, method)
        self.assertNotIn("--icp-words", method)
        self.assertIn("no options of its own", self.succeed("align", "--help", "procrustes").stdout)
        self.assertIn("--refine-with", self.succeed("align", "--help", "refinement").stdout)

    def test_groups_have_help(self):
        self.assertIn("translation", self.succeed("evaluate", "--help").stdout)

    def test_lines_fit_a_terminal(self):
        for command in ["", *COMMANDS]:
            for line in self.succeed(*command.split(), "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 110, line)

    def test_version(self):
        for arguments in (["--version"], ["align", "--version"], ["evaluate", "translation", "--version"]):
            result = self.succeed(*arguments)
            self.assertRegex(result.stdout, r"\Awordbridge \d+\.\d+\.\d+\nkernel \w+, BLAS core \w+, \d+ threads?\n\Z")


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

    def test_messages_are_our_own(self):
        for arguments, said in ((["--count", "1", "--count", "2"], "--count can be given only once"),
                                (["--criterion", "nn", "--criterion", "csls"], "--criterion can be given only once"),
                                (["--count"], "--count needs a value: --count N"),
                                (["--json=maybe"], "--json takes no value"),
                                (["--beta", "warm"], "--beta: 'warm' is not a number"),
                                (["--beta", "nan"], "--beta: 'nan' is not a number"),
                                (["--beta", "inf"], "--beta: 'inf' is not a number"),
                                (["--count", "99999999999999999999"], "is not in the range from 1 to 1048576"),
                                (["--count", "0"], "0 is less than 1"),
                                (["--max-words", "99999999999999999999"], "--max-words")):
            with self.subTest(arguments=arguments):
                line = self.fail(2, "translate", "m", "a", "b", "word", *arguments)
                self.assertIn(said, line)
                self.assertNotRegex(line, "At Most|At least|Could not|Value|required but|exception|INI|subcommand")
        self.assertIn("a is no prepared space (.wbspace), so a mapping and two files of vectors are wanted",
                      self.fail(2, "induce", "a"))
        self.assertIn("3 arguments are wanted at most, as '[mapping] source target', but 4 are given",
                      self.fail(2, "induce", "a", "b", "c", "d"))
        self.assertIn("--learning-rate: 'nan' is not a number", self.fail(
            2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", "--learning-rate", "nan"))

    def test_unknown_commands_have_no_help(self):
        self.assertEqual(self.fail(2, "nosuch", "--help"), "unknown command 'nosuch'; see 'wordbridge --help'")
        self.assertIn("did you mean 'align'?", self.fail(2, "aling", "--help"))
        self.assertIn("did you mean 'align'?", self.fail(2, "aling", "--version"))
        self.assertIn("did you mean 'hubness'?", self.fail(2, "evaluate", "hubnes", "-h"))

    def test_mappings_are_not_named_like_vectors(self):
        for name in ("n.vec", "n.bin", "n.wbvec", "n.npy", "n.txt", "n.tsv", "n.wbmap.gz"):
            line = self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", name)
            self.assertIn("a mapping is a .wbmap file", line)
            self.assertIn("n.wbmap", line)
        self.align("mapping")

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
        self.succeed("convert", "en.vec", "x.npy")
        for name in ("words", "y.vocab"):
            self.write(name, self.read("x.vocab"))
        training = ["align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "rcsls", "-o", "new.wbmap"]
        for arguments in (["align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "rcsls", "--init", "m.wbmap",
                           "-o", "m.wbmap"],
                          ["convert", "en.vec", "en.vec"],
                          ["convert", "en.vec", "link.vec"],
                          ["apply", "m.wbmap", "en.vec", "-o", "en.vec"],
                          ["apply", "m.wbmap", "en.vec", "--to", "text", "-o", "m.wbmap"],
                          ["export", "m.wbmap", "-o", "m.wbmap"],
                          ["evaluate", "translation", "m.wbmap", "en.vec", "es.vec", "--lexicon", "test.txt",
                           "--details", "test.txt"],
                          [*training, "--log", "train.txt"],
                          [*training, "--log", "en.vec"],
                          [*training, "--log", "./link.vec"],
                          ["induce", "m.wbmap", "x.npy", "es.vec", "-o", "x.vocab"],
                          ["induce", "m.wbmap", "x.npy", "es.vec", "--source-vocabulary", "words", "-o", "words"],
                          ["convert", "x.npy", "--vocabulary", "y.vocab", "y.npy"]):
            with self.subTest(arguments=arguments):
                self.assertIn("is also an input", self.fail(2, *arguments))
        self.assertIn("are the same file", self.fail(2, *training, "--log", "./new.wbmap"))
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
        self.assertEqual(self.complete("wordbridge", "completion", ""), ["bash", "zsh", "fish"])

    def test_options(self):
        self.assertEqual(self.complete("wordbridge", "align", "en.vec", "--max-w"), ["--max-words"])
        self.assertIn("--details", self.complete("wordbridge", "evaluate", "translation", "m", "--d"))
        self.assertIn("--version", self.complete("wordbridge", "--v"))

    def test_values(self):
        self.assertEqual(self.complete("wordbridge", "align", "--method", "p"), ["procrustes"])
        self.assertEqual(self.complete("wordbridge", "apply", "--side", ""), ["source", "target"])
        self.assertEqual(self.complete("wordbridge", "apply", "--side", "=", "t"), ["target"])
        self.assertEqual(self.complete("wordbridge", "apply", "--side", "="), ["source", "target"])

    def test_other_shells(self):
        zsh = self.succeed("completion", "zsh").stdout
        self.assertTrue(zsh.startswith("#compdef wordbridge\n"))
        self.assertIn('" evaluate translation --criterion") values="nn csls isf gc', zsh)
        fish = self.succeed("completion", "fish").stdout
        lines = [line for line in fish.splitlines() if line.startswith("complete ")]
        for command in COMMANDS:
            self.assertTrue(any(f" -a {command.split()[-1]} -d " in line for line in lines), command)
        self.assertTrue(any(" -l method -x -a 'auto " in line for line in lines))
        self.assertTrue(any(" -s o -l output -r " in line for line in lines))
        for line in lines:
            self.assertEqual(line.replace("\\'", "").count("'") % 2, 0, line)
        for shell, script in (("zsh", zsh), ("fish", fish)):
            if shutil.which(shell):
                path = self.write(f"script.{shell}", script)
                subprocess.run([shell, "-n", path], check=True)

    @unittest.skipUnless(shutil.which("fish"), "there is no fish here")
    def test_in_fish(self):
        script = self.write("script.fish", self.succeed("completion", "fish").stdout)
        def complete(line):
            result = subprocess.run(["fish", "-c", f"source {script}; complete -C '{line}'"], capture_output=True, text=True,
                                    env=dict(os.environ, HOME=str(self.folder)), check=True)
            return [offer.split("\t")[0] for offer in result.stdout.splitlines()]
        self.assertEqual(complete("wordbridge evaluate t"), ["translation"])
        self.assertEqual(complete("wordbridge align --meth"), ["--method"])
        self.assertIn("csls", complete("wordbridge evaluate translation --criterion "))

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh here")
    def test_in_zsh(self):
        script = self.write("script.zsh", self.succeed("completion", "zsh").stdout)
        # What the function is given, and what it hands to the shell's own completion.
        surroundings = ("compdef() { : }; compadd() { shift; print -l -- $@ }; _files() { : }\n"
                        "offer() { words=($@ \"$last\"); CURRENT=$#words; _wordbridge }\n")
        def complete(*words, last=""):
            result = subprocess.run(["zsh", "-f", "-c", f"{surroundings} source {script}; last='{last}'; offer {' '.join(words)}"],
                                    capture_output=True, text=True, check=True)
            return result.stdout.split()
        self.assertEqual(complete("wordbridge", "evaluate"), ["translation", "analogy", "similarity", "hubness", "all"])
        self.assertIn("--method", complete("wordbridge", "align", last="--m"))
        self.assertIn("csls", complete("wordbridge", "evaluate", "translation", "--criterion"))

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(self.complete("wordbridge", "align", "en"), [])


if __name__ == "__main__":
    unittest.main()
