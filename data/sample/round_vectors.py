#!/usr/bin/env python3
"""Rewrite a fastText .vec file: first words only, no </s>, four decimals.

usage: round_vectors.py INPUT OUTPUT COUNT
"""

import sys


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip())
    source, target, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    lines = []
    with open(source, encoding="utf-8", newline="\n") as f:
        dimension = int(f.readline().split()[1])
        for line in f:
            word, *numbers = line.rstrip(" \n").split(" ")
            if word == "</s>" or len(lines) == count:
                continue
            if len(numbers) != dimension:
                sys.exit(f"round_vectors.py: {source}: bad line for the word {word}")
            rounded = [f"{float(x):.4f}" for x in numbers]
            rounded = ["0.0000" if x == "-0.0000" else x for x in rounded]
            lines.append(word + " " + " ".join(rounded))
    with open(target, "w", encoding="utf-8", newline="\n") as f:
        f.write(f"{len(lines)} {dimension}\n")
        for line in lines:
            f.write(line + "\n")


if __name__ == "__main__":
    main()
