#!/usr/bin/env python3
"""Checks that the sources keep the shape that ARCHITECTURE.md promises.

usage: tools/check_layers.py [root]

- Includes between modules go only where the table of ARCHITECTURE.md ("Who may include whom") allows it.
- Public headers (include/wordbridge) belong to the module that holds their tests, and include public headers only.
- No include cycles; no header that only gathers other headers; no source outside a module.
- Every source of the library has its test beside it (x.cc and x_test.cc), except those in TESTED_BY.
- Instruction-set headers only in files named after the instruction set (x_avx2.cc).
- Names that only one source sees do not repeat within a module, so that its sources can be compiled together.
- Headers of the library spare their users heavy third-party headers; what takes longest to compile is in one source, as
  JSON is (base/json.h); the library never prints; nothing but tests uses
  what belongs to tests.

Prints one line per violation; exits 1 if there was any.
"""

import pathlib
import re
import sys

# Sources of the library without a test of their own name, and the suite that tests them: one contract suite for all
# implementations of an interface, or the suite of the part whose detail they are.
TESTED_BY = {
    "search/blas_search.cc": "search/neighbor_search_test.cc",
    "search/kernels/kernels_portable.cc": "search/kernels/kernel_choice_test.cc",
    "search/kernels/kernels_avx2.cc": "search/kernels/kernel_choice_test.cc",
    "search/kernels/kernels_avx512vnni.cc": "search/kernels/kernel_choice_test.cc",
    "search/kernels/kernels_amx.cc": "search/int8/int8_table_test.cc",
    "search/int8/int8_encoder.cc": "search/int8/int8_table_test.cc",
    "search/int8_search.cc": "search/neighbor_search_test.cc",
    "io/compressed_stream.cc": "io/byte_stream_test.cc",
    "retrieval/prepared/prepare_space.cc": "retrieval/prepared/prepared_space_test.cc",
    "retrieval/prepared/prepared_file.cc": "retrieval/prepared/prepared_space_test.cc",
    "space/sharded_space.cc": "retrieval/sharded_criteria_test.cc",
    "vectors/formats/native_shard.cc": "vectors/sharded_vectors_test.cc",
    "dictionary/article_formats.cc": "dictionary/dictionary_test.cc",
    "dictionary/markup_formats.cc": "dictionary/dictionary_test.cc",
    "hub/hub_folder.cc": "hub/hub_runner_test.cc",
    "hub/hub_jobs.cc": "hub/hub_runner_test.cc",
    "hub/hub_work.cc": "hub/hub_runner_test.cc",
    "hub/pair_reranker.cc": "hub/hub_runner_test.cc",
    "vectors/formats/text_sink.cc": "vectors/formats/text_test.cc",
}

ALL = "all of the library"  # the module of wordbridge.h
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
KERNEL = re.compile(r"_(sse\w*|avx\w*|amx|neon)$")
TWIN = re.compile(r"_(portable|sse\w*|avx\w*|amx|neon)$")  # x_portable.cc, x_avx2.cc: tested together in x_test.cc
INTRINSICS = re.compile(r"^(\w*mmintrin|x86intrin|arm_neon)\.h$")
SHARED_CLI = re.compile(r"^cli/(report/|explanations\.h|paths\.h)")  # with the Python package and the studio
# Compiled once, in the one source that may include it.
ONLY_IN = {"nlohmann/json.hpp": "src/base/json.cc", "toml++/toml.h": "src/hub/language_list.cc"}
HEAVY = re.compile(r"^(nlohmann/|toml\+\+/|CLI/|fmt/|cblas\.h|lapacke\.h|openssl/)")


def read_table(root):
    """The table of ARCHITECTURE.md as {module: set of modules it may include}."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    start = text.find("| module | may include |")
    if start < 0:
        sys.exit("ARCHITECTURE.md: the table `| module | may include |` is missing")
    allowed = {}
    for line in text[start:].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 2:
            break
        modules = re.findall(r"\w+", cells[0])
        if cells[1] == "everything above":
            below = set(allowed)
        else:
            below = set(re.findall(r"\w+", cells[1]))
        for module in modules:
            unknown = below - set(allowed)
            if unknown:
                sys.exit(f"ARCHITECTURE.md: {module} may include {', '.join(sorted(unknown))}, which comes later")
        for module in modules:
            allowed[module] = below
    return allowed


def module_of_public(root, path):
    """The module of a public header x.h: the one with x_test.cc; the header of all headers is above everything."""
    if path.stem == "wordbridge":
        return ALL
    tests = list((root / "src").rglob(f"{path.stem}_test.cc"))
    return tests[0].relative_to(root / "src").parts[0] if len(tests) == 1 else None


class Source:
    """One file: where it is, which module it belongs to, what it includes."""

    def __init__(self, root, path):
        self.path = path
        self.name = str(path.relative_to(root))
        parts = path.relative_to(root).parts
        self.is_public = parts[0] == "include"
        self.in_library = parts[0] in ("src", "include")
        if self.is_public:
            self.module = module_of_public(root, path)
        elif self.in_library:
            self.module = parts[1] if len(parts) > 2 else None
        else:
            self.module = parts[0]  # studio, cli or python
        self.is_header = path.suffix == ".h"
        self.is_test = path.stem.endswith(("_test", "_test_support"))
        self.text = path.read_text(encoding="utf-8")
        found = INCLUDE.findall(self.text)
        self.ours = [quoted for quoted, _ in found if quoted]
        self.theirs = [angled for _, angled in found if angled]
        self.includes = []  # of self.ours, those that were found, as names

    def resolve(self, root, sources):
        """Fills includes; yields complaints."""
        for include in self.ours:
            candidates = [root / "src" / include, root / "include" / include, root / include, self.path.parent / include]
            name = next((str(c.relative_to(root)) for c in candidates if c.is_file()), None)
            if name is None:
                yield f'{self.name}: #include "{include}" is no file of the project'
            elif self.in_library and not any(c.is_file() for c in candidates[:3]):
                yield f'{self.name}: #include "{include}" is not a full path (module/...)'
            elif name in sources:
                self.includes.append(name)

    def only_includes(self):
        """True for a header without a declaration of its own."""
        code = COMMENT.sub("", self.text)
        return all(not line.strip() or line.lstrip().startswith("#") for line in code.splitlines())


def layer_violations(source, sources, allowed):
    for name in source.includes:
        other = sources[name]
        if source.is_public and not other.is_public:
            yield f"{source.name}: a public header may not include {name}"
        if source.module == ALL:
            continue
        if source.module in ("python", "studio") and other.module == "cli" and not SHARED_CLI.match(name):
            yield f"{source.name}: of cli, the Python package and the studio may include report, explanations and paths, not {name}"
        if source.module == "python" and other.module == "studio":
            yield f"{source.name}: the Python package may not include the studio ({name})"
        if source.module in ("studio", "cli", "python") or other.module in (source.module, None):
            continue
        if not other.in_library:
            yield f"{source.name}: the library includes {name} of the program"
        elif other.module not in allowed.get(source.module, set()):
            yield f"{source.name}: {source.module} may not include {other.module} ({name})"


def content_violations(source, sources):
    if source.is_header and source.module != ALL and source.ours and source.only_includes():
        yield f"{source.name}: a header that only includes others"
    for header in source.theirs:
        if INTRINSICS.match(header) and not KERNEL.search(source.path.stem):
            yield f"{source.name}: <{header}> belongs into a file named after its instruction set (x_avx2.cc)"
        if header in ONLY_IN and source.name != ONLY_IN[header] and not source.is_header:
            yield f"{source.name}: only {ONLY_IN[header]} may include <{header}>"
        if source.in_library and not source.is_test:
            if source.is_header and HEAVY.match(header):
                yield f"{source.name}: <{header}> belongs into a source file, not a header"
            if header == "iostream":
                yield f"{source.name}: the library never prints (<iostream>)"
    if not source.is_test:
        for name in source.includes:
            if sources[name].is_test:
                yield f"{source.name}: only tests may include {name}"


def missing_tests(sources, tested_by):
    library = {s.name.removeprefix("src/"): s for s in sources.values() if s.in_library and not s.is_public}
    for name, source in library.items():
        if source.is_header or source.is_test:
            continue
        stem = TWIN.sub("", name.removesuffix(".cc"))
        tested = f"{stem}_test.cc" in library
        if not tested and name not in tested_by:
            yield f"{source.name}: has no test beside it ({stem}_test.cc)"
        if tested and name in tested_by:
            yield f"{source.name}: has a test; take it off TESTED_BY in tools/check_layers.py"
    for name, test in tested_by.items():
        for path in (name, test):
            if path not in library:
                yield f"src/{path}: does not exist; mend TESTED_BY in tools/check_layers.py"


def hidden_names(text):
    """The names that a source defines in its unnamed namespaces."""
    names = set()
    for block in re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", text, re.DOTALL | re.MULTILINE):
        # What begins in the first column is a definition; its name stands before the first bracket or sign.
        for line in COMMENT.sub("", block).splitlines():
            type_name = re.match(r"(?:struct|class|union|enum(?: class)?) (\w+)", line)
            alias = re.match(r"using (\w+) =", line)
            other = re.match(r"(?!using|namespace|template|return|static_assert|extern)\w[^=({;]*?(\w+)(?:\[\w*\])?[ ]*[=({]", line)
            found = type_name or alias or other
            if found:
                names.add(found.group(1))
    return names


def repeated_names(sources):
    """Names of unnamed namespaces that two sources of a module define."""
    first = {}  # (module, name) -> source
    for source in sources.values():
        # The names of a test are in a namespace named after its file, and kernels are compiled alone.
        if source.is_header or source.is_test or TWIN.search(source.path.stem):
            continue
        for name in sorted(hidden_names(source.text)):
            other = first.setdefault((source.module, name), source)
            # An alias may be repeated as it is.
            if other is not source and re.search(rf"^using {name} = .*;$", source.text, re.MULTILINE) is None:
                yield f"{source.name}: {name} is also defined in {other.name}"


def cycles(sources):
    """Each include cycle once, found by depth-first search."""
    state = {}  # name -> "open" while on the stack, "done" after

    def visit(name, stack):
        state[name] = "open"
        stack.append(name)
        for other in sources[name].includes:
            if state.get(other) == "open":
                yield "include cycle: " + " -> ".join(stack[stack.index(other):] + [other])
            elif other not in state:
                yield from visit(other, stack)
        stack.pop()
        state[name] = "done"

    for name in sources:
        if name not in state:
            yield from visit(name, [])


def check(root, tested_by):
    """All violations below root, one line each."""
    allowed = read_table(root)
    paths = [p for folder in ("include", "src", "studio", "cli", "python") for p in sorted((root / folder).rglob("*")) if p.is_file()]
    sources = {}
    for path in paths:
        if path.suffix in (".h", ".cc"):
            source = Source(root, path)
            sources[source.name] = source
    violations = []
    for source in sources.values():
        violations += source.resolve(root, sources)
    for source in sources.values():
        if source.module is None:
            violations.append(f"{source.name}: stands outside a module")
        elif source.module not in allowed and source.module != ALL:
            violations.append(f"{source.name}: module {source.module} is not in the table of ARCHITECTURE.md")
        violations += layer_violations(source, sources, allowed)
        violations += content_violations(source, sources)
    violations += missing_tests(sources, tested_by)
    violations += repeated_names(sources)
    violations += cycles(sources)
    return violations


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    violations = check(root, TESTED_BY)
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
