"""The checker catches each violation that it promises to catch, and nothing else."""

import pathlib
import tempfile
import unittest

import check_layers

TABLE = """# Architecture
| module | may include |
|---|---|
| base | - |
| parallel | base |
| linalg | parallel, base |
| vectors | linalg, base |
| cli | everything above |
"""

GOOD = {
    "ARCHITECTURE.md": TABLE,
    "src/base/error.h": "#pragma once\n#include <string>\nclass Error {};\n",
    "src/base/error.cc": '#include "base/error.h"\n',
    "src/base/error_test.cc": '#include "base/error.h"\n',
    "src/linalg/blas.h": '#pragma once\n#include "base/error.h"\nvoid f();\n',
    "src/linalg/blas.cc": '#include "linalg/blas.h"\n#include <cblas.h>\n',
    "src/linalg/blas_avx2.cc": "#include <immintrin.h>\n",
    "src/linalg/blas_test.cc": '#include "linalg/blas_test_support.h"\n#include <iostream>\n',
    "src/linalg/blas_test_support.h": "#pragma once\nvoid g();\n",
    "cli/main.cc": '#include "command.h"\n#include "linalg/blas.h"\n#include <iostream>\n',
    "cli/command.h": "#pragma once\nclass Command;\n",
}


class CheckLayersTest(unittest.TestCase):
    def violations(self, changes=None, tested_by=None):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for name, text in (GOOD | (changes or {})).items():
                if text is None:
                    continue
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check_layers.check(root, tested_by or {})

    def assert_one(self, expected, changes, tested_by=None):
        found = self.violations(changes, tested_by)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])

    def test_a_good_tree_passes(self):
        self.assertEqual(self.violations(), [])

    def test_the_python_package_uses_of_the_program_what_it_prints_alone(self):
        python = {"ARCHITECTURE.md": TABLE + "| python | everything above |\n", "cli/report/table.h": "#pragma once\nvoid t();\n"}
        good = '#include "run.h"\n#include "cli/report/table.h"\n#include "linalg/blas.h"\n'
        python |= {"python/binding/run.h": "#pragma once\nclass Run;\n", "python/binding/a.cc": good}
        self.assertEqual(self.violations(python), [])
        self.assert_one("not cli/command.h", python | {"python/binding/b.cc": '#include "cli/command.h"\n'})

    def test_a_name_that_two_sources_of_a_folder_hide(self):
        hidden = "namespace wordbridge {\nnamespace {\nconstexpr int kRows = 5;\nint draw(int a) { return a; }\n}  // namespace\n}\n"
        other = {
            "src/base/other.cc": hidden,
            "src/base/other_test.cc": "",
            "src/linalg/third.cc": hidden,
            "src/linalg/third_test.cc": hidden,
        }
        self.assertEqual(self.violations(other), [])
        self.assert_one(
            "draw is also defined in src/base/error.cc",
            other | {"src/base/error.cc": "namespace {\nbool draw();\n}  // namespace\n"},
        )
        self.assertEqual(
            len(self.violations(other | {"src/base/error.cc": hidden})), 2, "a constant and a function"
        )

    def test_an_include_upwards(self):
        self.assert_one(
            "error.cc: base may not include linalg",
            {"src/base/error.cc": '#include "linalg/blas.h"\n'},
        )

    def test_an_include_upwards_in_a_test(self):
        self.assert_one(
            "error_test.cc: base may not include linalg",
            {"src/base/error_test.cc": '#  include "linalg/blas.h"\n'},
        )

    def test_the_program_included_by_the_library(self):
        found = self.violations({"src/base/error.cc": '#include "../../cli/command.h"\n'})
        self.assertTrue(any("not a full path" in line or "of the program" in line for line in found), found)

    def test_a_cycle_within_a_module(self):
        self.assert_one(
            "include cycle: src/base/a.h -> src/base/b.h -> src/base/a.h",
            {
                "src/base/a.h": '#include "base/b.h"\nclass A;\n',
                "src/base/b.h": '#include "base/a.h"\nclass B;\n',
            },
        )

    def test_a_header_that_only_includes(self):
        self.assert_one(
            "all.h: a header that only includes others",
            {"src/linalg/all.h": '#pragma once\n// all of it\n#include "linalg/blas.h"\n'},
        )

    def test_public_headers(self):
        public = {
            "include/wordbridge/error.h": "#pragma once\nclass Error {};\n",
            "src/base/error.h": None,
            "src/base/error.cc": '#include "wordbridge/error.h"\n',
            "src/base/error_test.cc": '#include "wordbridge/error.h"\n',
            "src/linalg/blas.h": '#pragma once\n#include "wordbridge/error.h"\nvoid f();\n',
            "include/wordbridge/wordbridge.h": '#pragma once\n#include "wordbridge/error.h"\n',
        }
        self.assertEqual(self.violations(public), [])
        self.assert_one(
            "include/wordbridge/error.h: a public header may not include src/base/hidden.h",
            public
            | {
                "include/wordbridge/error.h": '#pragma once\n#include "base/hidden.h"\nclass Error {};\n',
                "src/base/hidden.h": "#pragma once\nclass Hidden;\n",
            },
        )
        self.assert_one(
            "stands outside a module", public | {"include/wordbridge/untested.h": "#pragma once\nclass A;\n"}
        )

    def test_a_header_outside_a_module(self):
        self.assert_one("stands outside a module", {"src/wordbridge.h": "#pragma once\nclass A;\n"})

    def test_an_unknown_module(self):
        self.assert_one("module utils is not in the table", {"src/utils/a.h": "#pragma once\nclass A;\n"})

    def test_a_source_without_test(self):
        self.assert_one("random.cc: has no test beside it", {"src/base/random.cc": ""})
        self.assertEqual(self.violations({"src/base/random.cc": ""}, {"base/random.cc": "base/error_test.cc"}), [])

    def test_exceptions_that_are_none(self):
        self.assert_one("has a test; take it off", {}, {"base/error.cc": "base/error_test.cc"})
        self.assert_one("base/gone.cc: does not exist", {}, {"base/gone.cc": "base/error_test.cc"})
        self.assert_one(
            "base/gone_test.cc: does not exist",
            {"src/base/random.cc": ""},
            {"base/random.cc": "base/gone_test.cc"},
        )

    def test_intrinsics_in_a_portable_file(self):
        self.assert_one("<immintrin.h> belongs into", {"src/linalg/blas.cc": "#include <immintrin.h>\n"})

    def test_heavy_headers_and_printing(self):
        self.assert_one(
            "<nlohmann/json.hpp> belongs into a source file",
            {"src/base/error.h": "#include <nlohmann/json.hpp>\nclass Error {};\n"},
        )
        self.assert_one(
            "only src/base/json.cc may include <nlohmann/json.hpp>",
            {"src/base/error.cc": "#include <nlohmann/json.hpp>\n"},
        )
        self.assert_one("the library never prints", {"src/base/error.cc": "#include <iostream>\n"})

    def test_test_helpers_outside_tests(self):
        self.assert_one(
            "only tests may include",
            {"src/linalg/blas.cc": '#include "linalg/blas_test_support.h"\n'},
        )

    def test_a_missing_file(self):
        self.assert_one("is no file of the project", {"cli/main.cc": '#include "gone.h"\n'})


if __name__ == "__main__":
    unittest.main()
