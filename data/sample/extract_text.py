#!/usr/bin/env python3
"""Turn HTML documentation and message catalogs into tokenized, lower-case text.

usage: extract_text.py OUTPUT [options] INPUT...

An INPUT is a folder, of which every *.html / *.htm file is read in sorted path
order, or a gettext message catalog (*.mo).  Each block of text (a paragraph, a
heading, a list item, a table cell, a paragraph of a message) becomes one line
of lower-case words separated by single spaces.  A line that occurred before is
left out.  Only the Python standard library is used.  The output depends on
nothing but the input files.

--english             the text is English: keep "don't" whole, drop the "'s";
                      of a message catalog take the original messages, not the
                      translations
--container ID        of an HTML page read only the element with this id
--drop-lines-of FILE  leave out every line that also occurs in FILE.  Pages of
                      a translated manual contain paragraphs that nobody has
                      translated yet; comparing with the original finds them.
"""

import argparse
import gettext
import os
import re
import sys
import unicodedata
from html.parser import HTMLParser

# Elements whose content is not running text.
SKIPPED = {"script", "style", "pre", "code", "tt", "kbd", "head", "nav", "header",
           "footer", "aside", "button", "noscript", "title", "svg", "math"}
# Elements that may stand inside a block; every other one ends the block.
INLINE = {"a", "abbr", "acronym", "b", "bdi", "big", "cite", "dfn", "em", "font", "i",
          "img", "input", "label", "mark", "q", "s", "small", "span", "strong",
          "sub", "sup", "u", "var", "wbr", "meta", "code", "tt", "kbd", "script"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link",
        "meta", "param", "source", "track", "wbr"}
# Class names of program listings and of key names of another platform.
SKIPPED_CLASSES = {"code", "bascode", "pycode", "sqlcode", "programlisting", "screen",
                   "MAC", "docnav", "toc", "navheader", "navfooter", "literal"}


class Blocks(HTMLParser):
    """Collects the text blocks of one page."""

    def __init__(self, container):
        super().__init__(convert_charrefs=True)
        self.container = container
        self.stack = []        # open elements: (tag, skipped, inside)
        self.parts = []
        self.blocks = []

    def flush(self):
        text = "".join(self.parts).strip()
        self.parts = []
        if text:
            self.blocks.append(text)

    def handle_starttag(self, tag, attrs):
        if tag not in INLINE:
            self.flush()
        if tag in VOID:
            return
        attrs = dict(attrs)
        classes = set((attrs.get("class") or "").split())
        skipped = tag in SKIPPED or bool(classes & SKIPPED_CLASSES)
        inside = self.container is None or attrs.get("id") == self.container
        if self.stack:
            skipped = skipped or self.stack[-1][1]
            inside = inside or self.stack[-1][2]
        if skipped and tag in INLINE:
            self.parts.append(" \u241e ")   # keeps the two sides apart
        self.stack.append((tag, skipped, inside))

    def handle_startendtag(self, tag, attrs):
        if tag not in INLINE:
            self.flush()

    def handle_endtag(self, tag):
        if tag not in INLINE:
            self.flush()
        for i in range(len(self.stack) - 1, -1, -1):
            if self.stack[i][0] == tag:
                del self.stack[i:]
                break

    def handle_data(self, data):
        if self.stack:
            _, skipped, inside = self.stack[-1]
        else:
            skipped, inside = False, self.container is None
        if inside and not skipped:
            self.parts.append(data)


# Runs of white space or of these characters end a word.
BREAK = re.compile(r"[\s/|\u2013\u2014\u2026\u25b8\u2192\u241e\u00b7=+<>&*;,:!?()\[\]{}\"\u00ab\u00bb"
                   r"\u201c\u201d\u201e\u201a\u2039\u203a]+")
APOSTROPHE = re.compile(r"['\u2019\u2018\u02bc`\u00b4]")
LETTERS = re.compile(r"[^\W\d_]+\Z")
NOISE = re.compile(r"[\d_@#$%\\^~]|\w\.\w")


def words(block, english):
    """The lower-case words of a block; anything that is not a word is left out."""
    block = unicodedata.normalize("NFC", block).replace("\u00ad", "")
    out = []
    for chunk in BREAK.split(block):
        if not chunk or NOISE.search(chunk):
            continue                        # numbers, file names, identifiers
        for piece in re.split(r"[-\u2010\u2011.]+", chunk):
            parts = [p for p in APOSTROPHE.split(piece) if p]
            if english:                     # "user's" -> "user", "don't" stays whole
                if len(parts) == 2 and parts[1].lower() == "s":
                    parts = parts[:1]
                elif len(parts) == 2 and all(LETTERS.match(p) for p in parts) \
                        and parts[1].lower() in ("t", "re", "ll", "ve", "d", "m"):
                    out.append(parts[0].lower() + "'" + parts[1].lower())
                    continue
            for part in parts:
                if LETTERS.match(part):
                    out.append(part.lower())
    return out


def page_blocks(path, container):
    with open(path, encoding="utf-8", errors="replace") as f:
        page = Blocks(container)
        page.feed(f.read())
    page.close()
    page.flush()
    return page.blocks


def folder_blocks(folder, container):
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".html", ".htm")):
                yield from page_blocks(os.path.join(path, name), container)


MARKUP = re.compile(r"<[^<>]*>")


def catalog_blocks(path, english):
    """The translations of a catalog, or with english its original messages."""
    with open(path, "rb") as f:
        catalog = gettext.GNUTranslations(f)._catalog
    messages = {}
    for key, translation in catalog.items():
        plural = 0
        if isinstance(key, tuple):
            key, plural = key
        if key:                              # the empty one is the header
            messages[key, plural] = key if english else translation
    for key in sorted(messages):
        message = messages[key].split("\x04")[-1]            # context of gettext
        message = re.sub(r"\A[^\n^]{0,40}\^", "", message)   # of Wesnoth
        message = re.sub(r"\A\?\w+:", "", message)          # of Freeciv
        message = MARKUP.sub(" ", message)
        yield from re.split(r"\n\s*\n", message)


def main():
    parser = argparse.ArgumentParser(description="Extract tokenized text.")
    parser.add_argument("output")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--container")
    parser.add_argument("--english", action="store_true")
    parser.add_argument("--drop-lines-of")
    args = parser.parse_args()

    untranslated = set()
    if args.drop_lines_of:
        with open(args.drop_lines_of, encoding="utf-8") as f:
            untranslated = set(f.read().split("\n"))

    seen = set()
    count = dropped = 0
    with open(args.output, "w", encoding="utf-8", newline="\n") as out:
        for name in args.inputs:
            if os.path.isdir(name):
                blocks = folder_blocks(name, args.container)
            elif os.path.isfile(name):
                blocks = catalog_blocks(name, args.english)
            else:
                sys.exit(f"extract_text.py: no such file or folder: {name}")
            for block in blocks:
                line_words = words(block, args.english)
                line = " ".join(line_words)
                if len(line_words) < 2 or line in seen:
                    continue
                seen.add(line)
                if line in untranslated:
                    dropped += 1
                    continue
                count += len(line_words)
                out.write(line + "\n")
    if count == 0:
        sys.exit("extract_text.py: no text found")
    print(f"{os.path.basename(args.output)}: {count} words, "
          f"{dropped} untranslated lines left out")


if __name__ == "__main__":
    main()
