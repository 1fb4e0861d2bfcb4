"""Nothing in the product waits for ever: each wait has a time limit, or a reason that is written here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: Methods that wait for a thread, a process, a queue, a connection or a cluster, unless a time limit is passed.
METHODS = frozenset(
    {
        *("acquire", "get", "join", "result", "wait"),  # of threads, processes, queues and futures
        *("accept", "communicate", "recv", "recv_bytes", "recvfrom", "receive", "stream"),  # of connections
        *("gather", "nthreads", "run_on_scheduler", "sync", "wait_for_workers"),  # of Dask
    }
)

#: Of these, the ones whose positional arguments set no time limit.
NEVER_LIMITED_BY_POSITION = frozenset(
    {
        "accept",
        "communicate",
        "gather",
        "recv",
        "recv_bytes",
        "recvfrom",
        "run_on_scheduler",
        "sync",
        "wait_for_workers",
    }
)

#: Keywords that set a time limit.
LIMITS = frozenset({"timeout", "callback_timeout", "blocking", "block"})

#: Functions and classes that wait when they are called or used, and threads that the end of the program waits for.
FUNCTIONS = frozenset(
    {
        *("Condition", "Lock", "RLock", "Semaphore", "BoundedSemaphore", "Barrier"),
        *("Popen", "Process", "ProcessPoolExecutor", "ThreadPoolExecutor", "Thread"),
        *("check_call", "check_output", "create_connection", "getaddrinfo", "gethostbyname", "urlopen"),
        *("as_completed", "flock", "lockf", "receive", "url_to_fs"),
    }
)

#: What a module with any of these calls contains; the others need not be parsed. Most calls of `get` and `join` are
#: those of mappings and strings.
OTHERS = "|".join(sorted((METHODS | FUNCTIONS) - {"get", "join"}))
ANY = re.compile(rf"\b(?:get|join)\(\s*(?:\w+=|\))|\b(?:{OTHERS})\(|sqlite3|subprocess")

MOMENT = "held for a few operations in memory"

#: Place: a module, its class or function, and the call -> why it may have no time limit.
REASONS = {
    "bleu_core/campaigns/database.py: Database.__init__: Lock": "held for one transaction, whose waits SQLite limits",
    "bleu_core/campaigns/database.py: Database.__init__: RLock": "held for one query, whose waits SQLite limits",
    "bleu_core/counts/urls.py: _system: url_to_fs": "the packages limit requests; those of a few systems do not",
    "bleu_core/formats/reading.py: _Collection.__init__: Lock": MOMENT,
    "bleu_core/isolation.py: _Pool.reset: Lock": "held while a process ends, which has a time limit",
    "bleu_core/isolation.py: _Pool.reset: Semaphore": "acquired with a time limit",
    "bleu_core/isolation.py: isolated: acquire": "of a process, not of a lock",
    "bleu_core/persistent_processes.py: PersistentProcesses.__init__: Lock": MOMENT,
    "bleu_core/processes.py: Worker.__init__: Popen": "its pipes are read in a thread, its end is awaited with a limit",
    "bleu_core/processes.py: Worker._listen: wait": "in a thread that nothing waits for",
    "bleu_core/processes.py: run_tasks: get": "for the next task; the process ends with its parent",
    "dashboard/__main__.py: _listen_problem: getaddrinfo": "of an address of this machine; the system limits look-ups",
    "dashboard/open_campaigns.py: <module>: Lock": "held while a file is opened or closed, which SQLite limits",
    "dashboard/open_campaigns.py: Hosting.__init__: Lock": "held while a file is written and opened",
    "dashboard/rating/access.py: CampaignAccess.__init__: Lock": "acquired with a time limit",
    "dashboard/rating/access.py: CampaignAccess._while_valid.received: receive": "of a web socket, which may be idle",
    "dashboard/rating/lead_sessions.py: LeadSessions.__init__: Lock": MOMENT,
    "dashboard/session/cache.py: Computations.__init__: Lock": MOMENT,
    "dashboard/session/cache.py: Results.__init__: Lock": MOMENT,
    "dashboard/session/cache.py: SessionStore.__init__: Lock": MOMENT,
    "dashboard/session/turns.py: Turns.__init__: Condition": "held for a few operations, awaited with a time limit",
}


def contexts(tree: ast.Module) -> set[str]:
    """Return the names of context variables, whose `get` does not wait."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if name_of(node.value.func) == "ContextVar":
                names |= {name_of(target) for target in targets}
    return names


def name_of(node: ast.expr) -> str:
    """Return the last name of an expression such as `a.b.c`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def limited(call: ast.Call) -> bool:
    """Return whether a call sets a time limit, or cannot wait."""
    name = name_of(call.func)
    if isinstance(call.func, ast.Attribute) and name in METHODS:
        positional = call.args if name not in NEVER_LIMITED_BY_POSITION else []
        values = (*positional, *(keyword.value for keyword in call.keywords if keyword.arg in LIMITS))
        return any(not (isinstance(value, ast.Constant) and value.value is None) for value in values)
    if name == "Thread":
        return any(keyword.arg == "daemon" for keyword in call.keywords)
    module = name_of(getattr(call.func, "value", call.func))
    if name in ("Condition", "Process") and module not in ("asyncio", "multiprocessing", "threading"):
        return True  # other things have these names, too
    if name in FUNCTIONS or (module, name) in (("sqlite3", "connect"), ("subprocess", "run"), ("subprocess", "call")):
        return any(keyword.arg == "timeout" for keyword in call.keywords)
    return True


def waits(tree: ast.Module) -> Iterator[str]:
    """Yield the class or function, and the name, of each call that may wait without a time limit."""
    ignored = contexts(tree)

    def visit(node: ast.AST, place: str) -> Iterator[str]:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            place = f"{place}.{node.name}".removeprefix(".")
        if isinstance(node, ast.AsyncWith) and any("asyncio.timeout(" in ast.unparse(item) for item in node.items):
            return
        if (
            isinstance(node, ast.Call)
            and not limited(node)
            and name_of(getattr(node.func, "value", node.func)) not in ignored
        ):
            yield f"{place or '<module>'}: {name_of(node.func)}"
        for child in ast.iter_child_nodes(node):
            yield from visit(child, place)

    return visit(tree, "")


@cache
def found() -> frozenset[str]:
    """Return the places in the product."""
    return frozenset(
        f"{path.relative_to(ROOT).as_posix()}: {wait}"
        for package in ("bleu_core", "dashboard")
        for path in (ROOT / package).rglob("*.py")
        if ANY.search(text := path.read_text(encoding="utf-8"))
        for wait in waits(ast.parse(text))
    )


def test_each_wait_has_a_time_limit_or_a_reason() -> None:
    assert found() - REASONS.keys() == set()


def test_each_reason_is_that_of_a_wait() -> None:
    assert REASONS.keys() - found() == set()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("queue.get()", ["<module>: get"]),
        ("queue.get(timeout=None)", ["<module>: get"]),
        ("queue.get(timeout=1)", []),
        ("mapping.get(key)", []),
        ("X = ContextVar('x')\nX.get()", []),
        ("def f():\n    thread.join()", ["f: join"]),
        ("', '.join(names)", []),
        ("class A:\n    def f(self):\n        self.process.wait()", ["A.f: wait"]),
        ("process.communicate(data)", ["<module>: communicate"]),
        ("lock.acquire(blocking=False)", []),
        ("client.sync(client.gather, batch)", ["<module>: sync"]),
        ("client.sync(client.gather, batch, callback_timeout=1)", []),
        ("client.gather(batch)", ["<module>: gather"]),
        ("future.result()", ["<module>: result"]),
        ("sqlite3.connect(path)", ["<module>: connect"]),
        ("subprocess.run(['ls'])", ["<module>: run"]),
        ("threading.Thread(target=f)", ["<module>: Thread"]),
        ("threading.Thread(target=f, daemon=True)", []),
        ("async def f():\n    async with asyncio.timeout(1):\n        await event.wait()", []),
        ("async def f():\n    await event.wait()", ["f: wait"]),
    ],
)
def test_a_wait_is_recognised(code: str, expected: list[str]) -> None:
    assert list(waits(ast.parse(code))) == expected
