#!/usr/bin/env python3
"""Writes mapping-v3.wbmap, from docs/file-formats.md alone: the second opinion on format version 3, a mapping that
carries its lexicon. The lexicon is compressed by the zstd program.

Run once; the file stays as it is, so that later versions of wordbridge are tested with it.
"""

import hashlib
import json
import pathlib
import struct
import subprocess

pairs = [("house", "casa"), ("New York", "Nueva York"), ("bank", "banco", "0.5"), ("a\\tb", "\\\\")]
text = "".join("\t".join(pair) + "\n" for pair in pairs)
lexicon = subprocess.run(["zstd", "-q", "-c"], input=text.encode("utf-8"), stdout=subprocess.PIPE, check=True).stdout
header = {
    "common_dimension": 2,
    "source": {"dimension": 2, "normalization": "none", "map": True},
    "target": {"dimension": 2, "normalization": "none", "map": False},
    "provenance": {
        "version": "0.2.0",
        "method": "procrustes",
        "options": {},
        "seed": 1,
        "max_words": 0,
        "criterion": "csls",
        "source": {"name": "en.vec", "checksum": "", "words": 5, "dimension": 2},
        "target": {"name": "es.vec", "checksum": "", "words": 5, "dimension": 2},
        "lexicon": "4 pairs",
        "metrics": {},
        "details": {},
    },
    "lexicon": {"pairs": len(pairs), "bytes": len(lexicon)},
}
values = [1, 2, 3, 4]  # source map, 2 x 2

text = json.dumps(header, ensure_ascii=False).encode("utf-8")
content = b"\x89WBMAP\r\n" + struct.pack("<II", 3, len(text)) + text + struct.pack(f"<{len(values)}f", *values) + lexicon
path = pathlib.Path(__file__).with_name("mapping-v3.wbmap")
path.write_bytes(content + hashlib.sha256(content).digest())
