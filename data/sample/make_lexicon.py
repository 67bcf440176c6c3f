#!/usr/bin/env python3
"""Make train / validation / test lexicons from FreeDict dictionaries.

usage: make_lexicon.py --source LANG --target LANG
                       --source-words FILE --target-words FILE
                       --forward NAME --backward NAME --output FOLDER

NAME is the path of a dictionary in dictd format without its ending
(NAME.dict.dz and NAME.index are read): --forward translates from the source
to the target language, --backward from the target to the source language.
The word files list the vocabularies of the word vectors, one word a line,
most frequent first.

Writes SOURCE-TARGET.train.txt, SOURCE-TARGET.validation.txt and
SOURCE-TARGET.test.txt, one "source target" pair a line.  Only the Python
standard library is used.  The parts have no source word in common.  No random
numbers are drawn: a hash of a fixed seed and of the word decides where a word
belongs, so the same input always gives the same output.
"""

import argparse
import gzip
import hashlib
import os
import re
import sys
import unicodedata
from collections import defaultdict

SEED = "wordbridge sample 1"
TEST_SHARE = 0.38           # of the source words that are fit for testing:
TEST_RANK = 4000            # the word and its best translation are so frequent
VALIDATION_SHARE = 0.10     # of all the other source words
TRAIN_TARGETS = 4           # at most so many translations of a word ...
TRAIN_SCORE = 0.34          # ... with at least this part of the best score
TEST_TARGETS = 8            # the same for the test and validation parts, where a
TEST_SCORE = 0.15           # missing translation would count as an error

BASE64 = {c: i for i, c in enumerate(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
NOTES = re.compile(r"\[[^\]]*\]|<[^>]*>|\([^)]*\)|\{[^}]*\}")
PRONUNCIATION = re.compile(r" /[^/]*/")
SENSE = re.compile(r"^\s*\d+\.\s+")
PLACEHOLDERS = re.compile(r"(?:^|(?<= ))(?:to|sth\.|sb\.|etw\.|jdn\.|jdm\.|jds\.|sich)(?= |$)")
WORD = re.compile(r"[^\W\d_]{2,}\Z")


def number(text):
    value = 0
    for c in text:
        value = value * 64 + BASE64[c]
    return value


def entries(name):
    """The entries of a dictd dictionary in file order, as lists of lines."""
    with gzip.open(name + ".dict.dz", "rb") as f:
        data = f.read()
    places = set()
    with open(name + ".index", encoding="utf-8") as f:
        for line in f:
            word, offset, length = line.rstrip("\n").split("\t")[:3]
            if not word.startswith("00database") and not word.startswith("00-database"):
                places.add((number(offset), number(length)))
    for offset, length in sorted(places):
        yield data[offset:offset + length].decode("utf-8", "replace").split("\n")


def clean(text):
    """A single lower-case word, or None."""
    text = PLACEHOLDERS.sub(" ", NOTES.sub(" ", text))
    text = unicodedata.normalize("NFC", " ".join(text.split())).lower()
    return text if WORD.match(text) else None


def headwords(line):
    line = NOTES.sub(" ", PRONUNCIATION.sub("", line))
    word = clean(line)
    return [word] if word else []


def scores(name):
    """(headword, translation) -> how well the dictionary attests the pair.

    An entry gives 1 to its first translation, 1/2 to its second, and so on.
    """
    found = defaultdict(float)
    for lines in entries(name):
        heads = headwords(lines[0])
        if not heads:
            continue
        place = 0
        for line in lines[1:]:
            text = line.strip()
            if not text or text.startswith(("Note:", "see:", "Synonym", '"', "unknown")):
                continue
            text = SENSE.sub("", NOTES.sub(" ", text))
            for part in re.split(r"[,;]", text):
                if not part.strip():
                    continue
                place += 1
                word = clean(part)
                if word:
                    for head in heads:
                        found[head, word] += 1.0 / place
    return found


def read_words(path):
    with open(path, encoding="utf-8") as f:
        return {line.rstrip("\n"): rank for rank, line in enumerate(f)}


def share(language, word):
    """A fixed number in [0, 1) for a word of a language."""
    digest = hashlib.sha256(f"{SEED}\t{language}\t{word}".encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "big") / 2.0**64


def main():
    parser = argparse.ArgumentParser(description="Make lexicons from FreeDict dictionaries.")
    for name in ("source", "target", "source-words", "target-words",
                 "forward", "backward", "output"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()

    source_rank = read_words(args.source_words)
    target_rank = read_words(args.target_words)
    forward = scores(args.forward)
    backward = scores(args.backward)

    # source word -> [(score, mutual, target word)]
    translations = defaultdict(list)
    pairs = set(forward) | {(s, t) for t, s in backward}
    for source, target in pairs:
        if source in source_rank and target in target_rank:
            f = forward.get((source, target), 0.0)
            b = backward.get((target, source), 0.0)
            translations[source].append((f + b, f > 0 and b > 0, target))

    parts = {"train": [], "validation": [], "test": []}
    for source in sorted(translations, key=source_rank.get):
        # Pairs that both dictionaries have are better than the others.
        found = sorted(translations[source], key=lambda x: (-x[1], -x[0], x[2]))
        if found[0][1]:
            found = [x for x in found if x[1]]
        fit = (found[0][1] and source_rank[source] < TEST_RANK
               and target_rank[found[0][2]] < TEST_RANK)
        h = share(args.source, source)
        if fit and h < TEST_SHARE:
            part = "test"
        elif share(args.source, source + "\tvalidation") < VALIDATION_SHARE:
            part = "validation"
        else:
            part = "train"
        best = max(x[0] for x in found)
        least, most = ((TRAIN_SCORE, TRAIN_TARGETS) if part == "train"
                       else (TEST_SCORE, TEST_TARGETS))
        found = [x for x in found if x[0] >= least * best][:most]
        parts[part].append((source, [x[2] for x in found]))

    for part, words in parts.items():
        path = os.path.join(args.output, f"{args.source}-{args.target}.{part}.txt")
        with open(path, "w", encoding="utf-8", newline="\n") as out:
            for source, targets in words:
                for target in targets:
                    out.write(f"{source} {target}\n")
        count = sum(len(t) for _, t in words)
        print(f"{os.path.basename(path)}: {count} pairs, {len(words)} source words")
        if not words:
            sys.exit(f"make_lexicon.py: no pairs for {path}")


if __name__ == "__main__":
    main()
