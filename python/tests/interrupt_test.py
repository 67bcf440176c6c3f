"""Ctrl-C ends any call soon, and leaves the objects usable."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import wordbridge as wb

SLOW = os.environ.get("WORDBRIDGE_SANITIZED") == "1"
# What is promised is 0.2 s on a machine that has nothing else to do, which benchmarks/run python measures.
SOON = 20 if SLOW else 5


def interrupted(call, after=0.3):
    """How long after Ctrl-C the call ended."""
    sent = []

    def send():
        time.sleep(after)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
            time.sleep(60)  # the call was faster than the signal
        return time.monotonic() - sent[0]
    finally:
        thread.join()


def test_learning(large):
    pairs = [(f"w{i}", f"w{i}") for i in range(20_000)]
    lexicon = wb.read_lexicon(pairs, *large)
    assert interrupted(lambda: wb.align(*large, lexicon, method="rcsls", epochs=1000, learning_rate=1)) < SOON
    assert len(large[0]) == 60_000 and np.isfinite(large[0].array[0]).all()


def test_induction_and_what_follows(large):
    space = wb.CommonSpace(*large)
    assert interrupted(lambda: space.induce(mutual=True)) < SOON
    assert len(space.translate("w7", 3, criterion="nn")) == 3


def test_reading(tmp_path):
    rng = np.random.default_rng(1)
    lines = [f"w{i} " + " ".join(f"{value:.5f}" for value in rng.standard_normal(50)) for i in range(2000)]
    with open(tmp_path / "long.vec", "w") as file:
        for part in range(100):
            file.writelines(f"p{part}{line}\n" for line in lines)
    assert interrupted(lambda: [wb.read_vectors(tmp_path / "long.vec") for _ in range(100)], 0.1) < SOON


def test_a_handler_of_ones_own(large):
    """Any signal whose handler raises ends the work; one whose handler does not lets it go on."""
    calls = []
    before = signal.signal(signal.SIGUSR1, lambda *_: calls.append(1))
    try:
        timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGUSR1))
        timer.start()
        space = wb.CommonSpace(large[0].first(3000), large[1].first(3000))
        for _ in range(1000):
            space.translate([f"w{i}" for i in range(100)], 3, criterion="nn")
            if calls:
                break
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert calls


def test_where_ctrl_c_is_ignored(tmp_path):
    """A shell without job control starts what is in the background with SIGINT ignored; nothing here waits for one."""
    call = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k", "half_written"]
    result = subprocess.run(["env", "--ignore-signal=INT,HUP", *call], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout


def test_nothing_half_written(tmp_path, large):
    interrupted(lambda: [large[0].save(tmp_path / f"{i}.vec") for i in range(1000)], 0.2)
    for path in tmp_path.iterdir():
        assert path.suffix == ".vec"  # whole, and no temporary file
