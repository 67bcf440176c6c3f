#!/usr/bin/env python3
"""Writes mapping-v1.wbmap, from docs/file-formats.md alone: the second opinion on what format version 1 is.

Run once; the file stays as it is, so that later versions of wordbridge are tested with it.
"""

import hashlib
import json
import pathlib
import struct

header = {
    "common_dimension": 2,
    "source": {"dimension": 3, "normalization": "unit,center,unit", "map": True},
    "target": {"dimension": 4, "normalization": "center,center", "map": True},
    "provenance": {
        "version": "0.1.0",
        "method": "rcsls",
        "options": {"epochs": "10", "normalization": "unit,center,unit"},
        "seed": 2**64 - 1,
        "max_words": 200000,
        "criterion": "csls",
        "source": {"name": "wiki.ñ.vec", "checksum": "a" * 64, "words": 5, "dimension": 3},
        "target": {"name": 'wiki "es".vec', "checksum": "b" * 64, "words": 6, "dimension": 4},
        "lexicon": "train.txt: 4 of 5 source words",
        "metrics": {"loss": -0.1, "odd": "inf", "third": 1 / 3},
        "details": {"iterations": [{"loss": -0.25, "accepted": True}], "a first": None},
    },
}
values = [1, -0.0, 0.1, -2.5, 1e-40, 3e38]  # source map, 2 x 3
values += [1, 2, 3, 4, 5, 6, 7, 8]  # target map, 2 x 4
values += [0.25, -0.5, 0.125]  # the mean of the source side
values += [1, 2, 3, 4, -1, -2, -3, -4]  # the two means of the target side

text = json.dumps(header, ensure_ascii=False).encode("utf-8")
content = b"\x89WBMAP\r\n" + struct.pack("<II", 1, len(text)) + text + struct.pack(f"<{len(values)}f", *values)
path = pathlib.Path(__file__).with_name("mapping-v1.wbmap")
path.write_bytes(content + hashlib.sha256(content).digest())
