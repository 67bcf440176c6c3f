#!/usr/bin/env python3
"""Writes mapping-reranker-v1.wbmap, from docs/file-formats.md alone: what version 1 of a re-ranker in a mapping is.

Run once; the file stays as it is, so that later versions of wordbridge are tested with it.
"""

import hashlib
import json
import pathlib
import struct

header = {
    "common_dimension": 2,
    "source": {"dimension": 2, "normalization": "unit", "map": True},
    "target": {"dimension": 2, "normalization": "unit", "map": False},
    "provenance": {"version": "0.1.0", "method": "vecmap", "options": {}, "seed": 1, "max_words": 0, "criterion": "csls",
                   "source": {"name": "", "checksum": "", "words": 0, "dimension": 2},
                   "target": {"name": "", "checksum": "", "words": 0, "dimension": 2},
                   "lexicon": "", "metrics": {}, "details": {}},
    "reranker": {
        "version": 1,
        "families": "semantic,spelling",
        "features": [["csls", 1 / 3, -0.25, 0.5], ["edit", 2, 0, 1]],
        "calibration": {"intercept": -1.5, "terms": [["log-odds", 1, 0, 1]], "elsewhere": 0.375},
        "spelling": {"source_letters": [101, 97], "target_letters": [0x3B1],
                     "units": [[[0], [0], 0.125], [[], [1], 0.0625], [[1, 0], [3], 1e-9]]},
        "pairs": [["house", "casa"], ["ñ", "\"x\""]],
    },
}
text = json.dumps(header, ensure_ascii=False).encode("utf-8")
content = b"\x89WBMAP\r\n" + struct.pack("<II", 1, len(text)) + text + struct.pack("<4f", 1, 0, 0, 1)
path = pathlib.Path(__file__).with_name("mapping-reranker-v1.wbmap")
path.write_bytes(content + hashlib.sha256(content).digest())
