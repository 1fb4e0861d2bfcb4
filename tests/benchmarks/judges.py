"""Judges who rate at once: how long answers take, how much memory the server holds, and whether anything is lost.

    uv run --extra test python -m tests.benchmarks.judges [--judges 20] [--minutes 10] [--think 1]

Each judge loads the list, and then sends one answer after another as the rating page does, over one connection.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tabulate import tabulate

from bleu_core.campaigns import CampaignPlan, CampaignStore, JudgeGroup, create_store, design_campaign
from bleu_core.dataset import Corpus
from tests.benchmarks.inputs import outputs
from tests.benchmarks.launch import server
from tests.benchmarks.load import MEMORY_FILE, SERVE, memory_of, processor_seconds

#: As in the paper's study.
SYSTEMS, SEGMENTS = 5, 50
PATIENCE = 60

Times = defaultdict[str, list[float]]
#: Judge, place, score and id.
Given = tuple[str, int, float, str]


def main() -> None:
    """Let the judges rate, and print what it took."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.judges", description="Judges who rate at once.")
    parser.add_argument("--judges", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--think", type=float, default=1, help="seconds between an answer and the next one, on average")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, memory = Path(folder) / "campaign.db", Path(folder) / "memory"
        _create(file, options.judges)
        with CampaignStore(file) as store:
            tokens = {judge: store.new_token(judge) for judge in store.judges}
            store.new_token(None)
            store.add_event("opened")
            command = ("-m", "tests.benchmarks.load", SERVE, "--campaign", str(file))
            with server(command, {MEMORY_FILE: str(memory)}) as address:
                pid = int(memory.read_text().split()[0])
                held: dict[str, Mapping[str, float]] = {}
                given: list[Given] = []
                _rate(address, tokens, seconds=5, think=0.1, given=given)  # so that everything is loaded
                held["before"] = memory_of(pid, memory)
                begun, worked = time.monotonic(), processor_seconds(pid)
                times = _rate(address, tokens, seconds=60 * options.minutes, think=options.think, given=given)
                took, worked = time.monotonic() - begun, processor_seconds(pid) - worked
                held["afterwards"] = memory_of(pid, memory)
            stored = [(a.judge, a.place, a.score) for a in store.answers(all_revisions=True)]
    print(tabulate(list(_rows(times)), headers="keys", floatfmt=".0f"))
    print()
    print(
        tabulate([{"MB": name, **_of_server(values)} for name, values in held.items()], headers="keys", floatfmt=".1f")
    )
    requests = sum(map(len, times.values()))
    print(f"\nThe server worked {worked:.0f} s of {took:.0f} s, {1000 * worked / requests:.1f} ms per request.")
    expected = sorted((judge, place, score) for judge, place, score, _ in given)
    verdict = "they are those given" if sorted(stored) == expected else "THEY ARE NOT THOSE GIVEN"
    print(f"{len(given):,} answers given, {len(stored):,} stored; {verdict}")


def _create(file: Path, judges: int) -> None:
    systems, reference = outputs(SYSTEMS, SEGMENTS, seed=1)
    corpus = Corpus(
        systems={name: tuple(lines) for name, lines in systems.items()},
        references={},
        source=tuple(reference),
        documents=None,
        labels={},
    )
    plan = CampaignPlan(
        title="Benchmark", systems=tuple(systems), segments=SEGMENTS, groups=(JudgeGroup("people", judges),)
    )
    create_store(file, design_campaign(plan, corpus), corpus)


def _rate(address: str, tokens: Mapping[str, str], seconds: float, think: float, given: list[Given]) -> Times:
    """Let all judges rate for some seconds; notes what is acknowledged, and gives the times of requests by kind."""
    times: Times = defaultdict(list)
    end = time.monotonic() + seconds

    def go(judge: str, token: str) -> None:
        chance = random.Random(f"{judge} {seconds}")
        time.sleep(think * chance.random())
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
        places = len(_ask(connection, "list", token=token, body=None, times=times["list"])["places"])
        begun = sum(of == judge for of, *_ in list(given))
        for number in _numbers(begun, end):
            place, score, name = number % places, float(chance.randint(1, 5)), f"{judge} {number}"
            now = time.time()
            sent = {"client": name, "place": place, "position": 0, "score": score, "shown": now - 1, "given": now}
            while _ask(connection, "answers", token=token, body={"answers": [sent]}, times=times["answer"])[
                "stored"
            ] != [name]:
                time.sleep(think)
            given.append((judge, place, score, name))
            time.sleep(2 * think * chance.random())
        connection.close()

    threads = [threading.Thread(target=go, args=each) for each in tokens.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def _numbers(first: int, end: float) -> Iterator[int]:
    while time.monotonic() < end:
        yield first
        first += 1


def _ask(connection: http.client.HTTPConnection, what: str, token: str, body: Any, times: list[float]) -> Any:
    begun = time.perf_counter()
    content = None if body is None else json.dumps(body)
    headers = {"Authorization": f"Bearer {token}"}
    connection.request("GET" if body is None else "POST", f"/rate/api/{what}", content, headers)
    answer = connection.getresponse()
    found = json.loads(answer.read())
    times.append(time.perf_counter() - begun)
    if answer.status != http.client.OK:
        raise RuntimeError(f"{what}: status {answer.status}, {found}")
    return found


def _rows(times: Mapping[str, Sequence[float]]) -> Iterator[dict[str, object]]:
    for name, of in times.items():
        hundredths = statistics.quantiles(of, n=100, method="inclusive")
        yield {
            "request": name,
            "number": len(of),
            "median, ms": 1000 * hundredths[49],
            "95 of 100, ms": 1000 * hundredths[94],
            "99 of 100, ms": 1000 * hundredths[98],
            "most, ms": 1000 * max(of),
        }


def _of_server(held: Mapping[str, float]) -> dict[str, float]:
    return {name: held[name] for name in ("heap in use", "resident")}


if __name__ == "__main__":
    main()
