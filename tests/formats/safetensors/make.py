#!/usr/bin/python3
"""Makes the .safetensors files of this folder from the description of the format alone: all hold the same table."""
import json
import pathlib
import struct

folder = pathlib.Path(__file__).parent
table = [1, -2, 0.5, 0, 1024, -0.25]


def write(name, tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for key, kind, shape, values in tensors:
        header[key] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (folder / f"{name}.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


half = struct.pack("<6e", *table)
single = struct.pack("<6f", *table)
upper = b"".join(single[i + 2:i + 4] for i in range(0, 24, 4))  # all of these are exact in bfloat16
write("float16", [("embeddings", "F16", [2, 3], half)])
write("float32", [("embeddings", "F32", [2, 3], single)])
write("float64", [("embeddings", "F64", [2, 3], struct.pack("<6d", *table))])
write("bfloat16", [("embeddings", "BF16", [2, 3], upper)])
write("several", [("other", "F32", [1, 1], single[:4]), ("numbers", "I64", [2], struct.pack("<2q", 7, 9)),
                  ("table", "F16", [2, 3], half), ("bias", "F32", [1], single[:4])])
