"""Word vectors of different languages in one space.

>>> import wordbridge as wb
>>> en, es = wb.read_vectors("data/sample/en.vec.xz"), wb.read_vectors("data/sample/es.vec.xz")
>>> lexicon = wb.read_lexicon("data/sample/en-es.train.txt", en, es)
>>> mapping = wb.align(en, es, lexicon, method="procrustes")
>>> space = wb.CommonSpace(mapping, en, es)
>>> space.translate("library", 1).words
['biblioteca']
>>> round(space.evaluate("data/sample/en-es.test.txt").precision(1))
31

Examples run from a checkout of wordbridge, whose folder data/sample they read.
"""

from __future__ import annotations

from . import _core
from .adapters import Adapter, adapt
from .alignment import Criterion, Method, Option, criteria, methods
from .by_method import RCSLS, Aligner, LeastSquares, Procrustes, Smith, VecMap, align
from .entries import Entry, EntryBalance, EntryForm
from .errors import Error, InputError, IoError, NoAccessError, NoFileError, UsageError, WordbridgeWarning
from .estimators import NotFittedError, RowAligner
from .evaluation import TestedWord, TranslationResult, drift, evaluate_analogies, evaluate_similarity
from .experiments import ExperimentReports, reproduce
from .hub import Hub, make_hub
from .lexicon import Coverage, Lexicon, identical_words, read_lexicon
from .mapping import Mapping, import_matrix
from .reports import Report, Table
from .space import Candidate, CommonSpace, FalseFriend, InducedPair, Reason, Translations, TranslationTable
from .vectors import WordVectors, convert, read_vectors

__version__: str = _core.version()

__all__ = [
    "Adapter", "Aligner", "Candidate", "CommonSpace", "Coverage", "Criterion", "Entry", "EntryBalance", "EntryForm",
    "Error", "ExperimentReports", "FalseFriend", "Hub", "InducedPair", "InputError", "IoError", "LeastSquares", "Lexicon", "Mapping", "Method", "NoAccessError",
    "NoFileError", "NotFittedError", "Option", "Procrustes", "RCSLS", "Reason", "Report", "RowAligner", "Smith",
    "Table", "TestedWord", "TranslationResult", "TranslationTable",
    "Translations", "UsageError", "VecMap", "WordVectors", "WordbridgeWarning", "adapt", "align", "convert", "criteria",
    "drift", "evaluate_analogies", "evaluate_similarity", "identical_words", "import_matrix", "make_hub", "methods",
    "read_lexicon", "read_vectors", "reproduce",
]
