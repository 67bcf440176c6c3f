"""Several threads of Python may ask one space, and others run while the library works."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import wordbridge as wb


def test_many_ask_one_space(mapping, en, es):
    words = list(en.words[200:500])
    alone = wb.CommonSpace(mapping, en, es).translate(words, 5).words
    space = wb.CommonSpace(mapping, en, es)  # its indexes are made while all ask
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda word: space.translate(word, 5).words, words))
    assert answers == alone


def test_different_work_at_once(mapping, en, es, lexicon):
    space = wb.CommonSpace(mapping, en, es)
    calls = [lambda: space.evaluate("data/sample/en-es.test.txt").precision(1),
             lambda: len(space.induce(mutual=True, ranks=(1, 1000))),
             lambda: wb.align(en, es, lexicon, method="procrustes", threads=1).W[0, 0],
             lambda: space.neighbors("night", 3).words,
             lambda: wb.read_vectors("data/sample/en.vec.xz", threads=2).checksum()] * 2
    wanted = [call() for call in calls[:5]] * 2
    with ThreadPoolExecutor(len(calls)) as pool:
        assert list(pool.map(lambda call: call(), calls)) == wanted


def test_the_interpreter_is_free_meanwhile(large):
    space = wb.CommonSpace(*large)
    done = threading.Event()
    ticks = []

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        space.translate([f"w{i}" for i in range(3000)], 3, criterion="nn")
    finally:
        done.set()
        thread.join()
    assert len(ticks) > 10


def test_callbacks_come_from_the_calling_thread(en, es, lexicon):
    threads = set()

    def learn():
        wb.align(en, es, lexicon, method="rcsls", epochs=1, learning_rate=1,
                 progress=lambda *_: threads.add(threading.get_ident()))
        return threading.get_ident()

    with ThreadPoolExecutor(1) as pool:
        assert threads == {pool.submit(learn).result()}
