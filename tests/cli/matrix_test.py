"""wordbridge export and import: maps as other programs keep them"""

import json
import unittest

from program import DIMENSION, CommandLineTest, read_vec, vec_text

# x = (1, 10) goes to (21, 43, 65) under W = [[1, 2], [3, 4], [5, 6]].
HEADERED = "3 2\n1 2\n3 4\n5 6\n"
HEADERLESS = "1 3 5\n2 4 6\n"


class ImportTest(CommandLineTest):
    def mapped(self, *options):
        """Where (1, 10) goes under the imported matrix."""
        self.succeed("import", "W.txt", "-o", "m.wbmap", "--normalize", "none", *options)
        self.write("x.vec", "1 2\nword 1 10\n")
        self.succeed("apply", "m.wbmap", "x.vec", "--no-unit", "-o", "y.vec")
        return self.read("y.vec").decode().split()[3:]

    def test_orientation(self):
        self.write("W.txt", HEADERED)
        self.assertEqual(self.mapped(), ["21", "43", "65"])
        self.write("W.txt", HEADERLESS)
        self.assertEqual(self.mapped(), ["21", "43", "65"])
        self.write("W.txt", "2 3\n1 3 5\n2 4 6\n")
        self.assertEqual(self.mapped("--transpose"), ["21", "43", "65"])
        self.write("W.txt", "1 2\n3 4\n5 6\n")
        self.assertEqual(self.mapped("--transpose", "--header", "no"), ["21", "43", "65"])

    def test_both_sides(self):
        self.write("W.txt", HEADERED)
        self.write("V.txt", "3 1\n1\n2\n3\n")
        self.succeed("import", "W.txt", "--target-matrix", "V.txt", "-o", "m.wbmap", "--normalize", "none")
        self.write("y.vec", "1 1\nword 2\n")
        self.succeed("apply", "m.wbmap", "y.vec", "--side", "target", "--no-unit", "-o", "z.vec")
        self.assertEqual(self.read("z.vec").decode().split()[3:], ["2", "4", "6"])
        self.write("V.txt", "2 1\n1\n2\n")
        self.assertIn("dimension 3, the target map to 2",
                      self.fail(2, "import", "W.txt", "--target-matrix", "V.txt", "-o", "n.wbmap"))

    def test_center_needs_vectors(self):
        self.write("W.txt", HEADERED)
        self.assertIn("--source FILE", self.fail(2, "import", "W.txt", "--normalize", "unit,center", "-o", "m.wbmap"))

    def test_fits_the_normalization_and_remembers_the_vectors(self):
        self.align("fitted.wbmap", "--normalize", "unit,center,unit")
        self.succeed("export", "fitted.wbmap", "-o", "W.txt")
        self.succeed("import", "W.txt", "--normalize", "unit,center,unit", "--source", "en.vec", "--target", "es.vec",
                     "-o", "m.wbmap")
        for name in ("fitted.wbmap", "m.wbmap"):
            result = self.succeed("apply", name, "en.vec", "-o", name + ".vec", "-q")
            self.assertEqual(result.stderr, "")
        self.assertEqual(self.read("fitted.wbmap.vec"), self.read("m.wbmap.vec"))
        result = self.succeed("apply", "m.wbmap", "es.vec", "-o", "out.vec", "-q")
        self.assertIn("warning: es.vec: not the source vectors", result.stderr)
        provenance = json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)["provenance"]
        self.assertEqual(provenance["method"], "import")

    def test_wrong_dimension_of_the_vectors(self):
        self.write("W.txt", HEADERED)
        self.assertIn("takes source vectors of dimension 2, but en.vec has dimension 8",
                      self.fail(2, "import", "W.txt", "--source", "en.vec", "-o", "m.wbmap"))

    def test_damage(self):
        self.write("W.txt", "2 2\n1 2\n3 x\n")
        self.assertEqual(self.fail(1, "import", "W.txt", "-o", "m.wbmap"), "W.txt:3: 'x' is not a finite number")
        self.assertIn("missing.txt", self.fail(1, "import", "missing.txt", "-o", "m.wbmap"))


class FiniteTest(CommandLineTest):
    """What is too large for a float is an error wherever it comes about, and nothing is written."""

    def imported(self, name, value, rows=DIMENSION):
        """A mapping by a multiple of the identity."""
        lines = [" ".join(value if i == j else "0" for j in range(DIMENSION)) for i in range(rows)]
        self.write("W.txt", "\n".join([f"{rows} {DIMENSION}"] + lines) + "\n")
        self.succeed("import", "W.txt", "--normalize", "none", "-o", name)

    def test_results_that_are_not_finite(self):
        self.imported("huge.wbmap", "3e38")
        self.imported("tiny.wbmap", "1e-44")
        files = ["huge.wbmap", "en.vec", "es.vec"]
        lexicon = ["--lexicon", "test.txt"]
        for command in (["apply", "huge.wbmap", "en.vec", "-o", "out.vec"],
                        ["apply", "huge.wbmap", "en.vec", "--no-unit", "-o", "out.wbvec"],
                        ["apply", "huge.wbmap", "en.vec", "--no-unit", "-o", "-"],
                        ["translate", *files, "e1", "e2"], ["induce", *files, "-o", "out.tsv"],
                        ["neighbors", "en.vec", "e1", "--mapping", "huge.wbmap"],
                        ["evaluate", "translation", *files, *lexicon], ["evaluate", "hubness", *files],
                        ["evaluate", "all", *files, *lexicon], ["report", *files, *lexicon, "-o", "out.html"]):
            with self.subTest(command=command):
                self.assertIn("by the source side of the mapping are not finite", self.fail(1, *command))
        for command in (["invert", "tiny.wbmap", "-o", "out.wbmap"],
                        ["compose", "huge.wbmap", "huge.wbmap", "-o", "out.wbmap"]):
            self.assertIn("the map that comes out is not finite", self.fail(1, *command))

    def test_what_is_large_but_finite_is_written(self):
        self.imported("large.wbmap", "1e30")
        self.succeed("apply", "large.wbmap", "en.vec", "--no-unit", "-o", "out.vec")
        self.assertTrue(all(abs(value) < 1e31 for row in read_vec(self.path("out.vec"))[1] for value in row))
        self.succeed("apply", "large.wbmap", "en.vec", "-o", "unit.vec")


class ExportTest(CommandLineTest):
    def test_layouts(self):
        self.write("W.txt", HEADERED)
        self.succeed("import", "W.txt", "-o", "m.wbmap")
        self.assertEqual(self.succeed("export", "m.wbmap").stdout, HEADERED)
        self.assertEqual(self.succeed("export", "m.wbmap", "--no-header").stdout, HEADERLESS)
        self.assertEqual(self.succeed("export", "m.wbmap", "--transpose").stdout, "2 3\n" + HEADERLESS)
        self.assertEqual(self.succeed("export", "m.wbmap", "--transpose", "--no-header").stdout, HEADERED[4:])
        result = self.succeed("export", "m.wbmap", "-o", "out.txt")
        self.assertEqual(self.read("out.txt").decode(), HEADERED)
        self.assertIn("after normalization 'unit'", result.stderr)

    def test_round_trip_is_exact(self):
        self.align()
        for options in ([], ["--no-header"], ["--transpose"], ["--no-header", "--transpose"]):
            self.succeed("export", "m.wbmap", "-o", "W.txt", *options)
            back = [option for option in options if option == "--transpose"]
            self.succeed("import", "W.txt", "-o", "back.wbmap", *back)
            self.assertEqual(self.succeed("export", "back.wbmap").stdout, self.succeed("export", "m.wbmap").stdout)

    def test_sides(self):
        self.align("m.wbmap", "--method", "procrustes")
        self.assertIn("leaves the target side alone", self.fail(2, "export", "m.wbmap", "--side", "target"))


if __name__ == "__main__":
    unittest.main()
