#!/usr/bin/python3
"""Makes the .npy files of this folder with NumPy (made with 1.24.2): all hold the same table, which float16 can hold."""
import pathlib

import numpy

folder = pathlib.Path(__file__).parent
table = numpy.array([[1, -2, 0.5], [0, 65504, 6.103515625e-05], [5.960464477539063e-08, -0.0, 1024]])
for name, kind in {"float16": "<f2", "float32": "<f4", "float64": "<f8", "big-endian": ">f4"}.items():
    numpy.save(folder / f"{name}.npy", table.astype(kind))
numpy.save(folder / "fortran.npy", numpy.asfortranarray(table.astype("<f4")))
for version in (2, 3):
    with open(folder / f"version{version}.npy", "wb") as file:
        numpy.lib.format.write_array(file, table.astype("<f4"), version=(version, 0))
(folder / "words.txt").write_text("cat\nZürich\nNew York\n")
