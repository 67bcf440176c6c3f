#!/usr/bin/env python3
"""Writes mapping-v2.wbmap, from docs/file-formats.md alone: the second opinion on format version 2, a mapping with an
intercept.

Run once; the file stays as it is, so that later versions of wordbridge are tested with it.
"""

import hashlib
import json
import pathlib
import struct

header = {
    "common_dimension": 2,
    "source": {"dimension": 3, "normalization": "center", "map": True, "intercept": True},
    "target": {"dimension": 2, "normalization": "none", "map": False},
    "provenance": {
        "version": "0.1.0",
        "method": "adapt",
        "options": {"map": "contrastive"},
        "seed": 1,
        "max_words": 0,
        "criterion": "nn",
        "source": {"name": "new.npy", "checksum": "", "words": 5, "dimension": 3},
        "target": {"name": "old.npy", "checksum": "", "words": 5, "dimension": 2},
        "lexicon": "5 pairs by row",
        "metrics": {},
        "details": {},
    },
}
values = [1, 2, 3, 4, 5, 6]  # source map, 2 x 3
values += [0.5, -3]  # the intercept
values += [0.25, -0.5, 0.125]  # the mean of the source side

text = json.dumps(header, ensure_ascii=False).encode("utf-8")
content = b"\x89WBMAP\r\n" + struct.pack("<II", 2, len(text)) + text + struct.pack(f"<{len(values)}f", *values)
path = pathlib.Path(__file__).with_name("mapping-v2.wbmap")
path.write_bytes(content + hashlib.sha256(content).digest())
