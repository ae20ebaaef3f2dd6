"""The package: its engines, threads, errors, operators, recordings and documents."""

from __future__ import annotations

import gc
import inspect
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rasterscan as rs

HERE = Path(__file__).parent


def python(code: str, **environment: str) -> str:
    """What a fresh interpreter prints, which must end well."""
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_importing_opens_nothing() -> None:
    code = "import rasterscan, pathlib; print('libEGL' in pathlib.Path('/proc/self/maps').read_text())"
    assert python(code).strip() == "False"


def test_any_thread_may_call() -> None:
    gpu = rs.Gpu()
    results: dict[int, Any] = {}

    def work(number: int) -> None:
        results[number] = gpu.scan(np.full(1000, number, dtype=np.uint32))[-1]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: 1000 * number for number in range(8)}


def test_the_gil_is_released() -> None:
    """Another thread goes on while a call waits: it lets the call end."""
    go, started, called = threading.Event(), threading.Event(), threading.Event()

    def twin(left: Any, right: Any) -> Any:
        if called.is_set():
            started.set()
            assert go.wait(60)
        return left + right

    def free() -> None:
        assert started.wait(60)
        go.set()

    def held(*_: Any) -> None:
        pytest.fail("the GIL is held")

    threading.Thread(target=free).start()
    signal.signal(signal.SIGALRM, held)
    signal.alarm(50)
    glsl = "Item combine(Item l, Item r) { return element_add(l, r); }"
    plus = rs.Operator("plus", glsl, np.uint32([0]), twin=twin)
    called.set()
    try:
        assert rs.scan(np.uint32([1, 2, 3]), op=plus, verify=True).tolist() == [1, 3, 6]
    finally:
        signal.alarm(0)


def test_a_call_can_be_interrupted() -> None:
    """Ctrl-C ends the wait. The thread of the context finishes its work, and takes more."""
    go, called = threading.Event(), threading.Event()

    def twin(left: Any, right: Any) -> Any:
        if called.is_set():
            assert go.wait(60)
        return left + right

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    glsl = "Item combine(Item l, Item r) { return element_add(l, r); }"
    plus = rs.Operator("plus", glsl, np.uint32([0]), twin=twin)
    called.set()
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    with pytest.raises(KeyboardInterrupt):
        rs.scan(np.uint32([1, 2, 3]), op=plus, verify=True)
    go.set()
    assert rs.scan([1, 2, 3]).tolist() == [1, 3, 6]


def test_without_a_driver_kernels_run_and_say_so() -> None:
    code = "import rasterscan as rs; print(rs.scan([3, 1, 7]), rs.sort([3, 1, 7]), rs.Gpu().engine)"
    told = python(code, __EGL_VENDOR_LIBRARY_FILENAMES="/nowhere.json", RASTERSCAN_DEVICE="")
    assert "[ 3  4 11] [1 3 7] kernels" in told
    assert "NoDriverWarning: no usable OpenGL" in told and "kernels in Rust run instead" in told


def test_kernels_can_be_asked_for() -> None:
    cpu = rs.Gpu("cpu")
    assert cpu.engine == "kernels" and cpu.scan([3, 1, 7], verify=True).tolist() == [3, 4, 11]
    assert len(cpu.record("sort values:3,1,7 -a bitonic")) > 0
    with pytest.raises(rs.NoDevice):
        cpu.selftest(0)


def test_a_fork_is_told() -> None:
    code = """
import os, rasterscan as rs
rs.scan([1, 2])
child = os.fork()
if child == 0:
    try:
        rs.scan([1, 2])
    except rs.ContextError as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""
    assert "another process" in python(code)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: rs.scan([1.5]), ValueError, "float64 is not an element"),
        (lambda: rs.scan([1], wrong=3), rs.RequestError, "scan has no option 'wrong='"),
        (lambda: rs.scan([1], rows=1, columns=1), rs.RequestError, "rows= and columns= cannot be given together"),
        (lambda: rs.scan([1], algorithm="hron"), rs.RequestError, "did you mean horn?"),
        (lambda: rs.scan([1], op="plus"), rs.RequestError, "op cannot be 'plus'"),
        (lambda: rs.scan([-1], dtype="uint32"), rs.RequestError, "does not fit u32"),
        (lambda: rs.scan([1], dtype="float64"), rs.RequestError, "dtype cannot be float64"),
        (lambda: rs.scan([1, 2], tuple=3), rs.RequestError, "does not divide into tuples of 3"),
        (lambda: rs.scan([1, 2], segments=[1]), rs.RequestError, "segments has 1 elements; expected 2"),
        (lambda: rs.scan([1], axis=1), ValueError, "axis 1 is out of bounds"),
        (lambda: rs.histogram([1 << 40]), rs.RequestError, "does not fit i32"),
        (lambda: rs.repeat([1, 2], [1]), rs.RequestError, "the lengths of runs has 1 elements; expected 2"),
        (lambda: rs.Gpu("cpu").repeat([1, 2], 1), rs.NoDevice, "repeat needs OpenGL"),
        (lambda: rs.segmented_scan([1]), rs.RequestError, "segments, offsets or keys"),
        (lambda: rs.scan([1], algorithm="all"), NotImplementedError, "takes one algorithm"),
        (lambda: rs.record("scan values:1,2 -a sequential"), rs.Unsupported, "has no passes"),
        (lambda: rs.Gpu("77"), rs.NoDevice, "no device 77"),
        (lambda: rs.Gpu("fast"), rs.RequestError, "not a device"),
        (lambda: rs.Gpu.current(), rs.ContextError, "no OpenGL context is current"),
    ],
)
def test_errors_are_typed_and_say_what_to_do(call: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=re.escape(sentence)) as caught:
        call()
    assert isinstance(caught.value, rs.Error)


XNOR = "Item combine(Item left, Item right) { return ~(left ^ right); }"


TILTED = "Item combine(Item l, Item r) { return l == 0u ? r : r == 0u ? l : l + 2u * r; }"


def tilted(left: Any, right: Any) -> Any:
    return np.where(left == 0, right, np.where(right == 0, left, left + 2 * right))


def test_an_operator_may_be_on_some_numbers_alone() -> None:
    glsl = "Item combine(Item left, Item right) { return (left + right) % 7u; }"
    residues = np.arange(1000, dtype=np.uint32) % 7

    def add(left: Any, right: Any) -> Any:
        return (left + right) % 7

    with pytest.raises(rs.RequestError, match=re.escape("add7(0, 7) is 0, expected 7; if that is not an item")):
        rs.Operator("add7", glsl, np.uint32([0]), twin=add)
    for domain in (range(7), [0, 6], np.arange(7)):
        add7 = rs.Operator("add7", glsl, np.uint32([0]), twin=add, domain=domain)
        np.testing.assert_array_equal(rs.scan(residues, op=add7, verify=True), residues.cumsum() % 7)
    with pytest.raises(rs.RequestError, match="add7.5, 5. is 3, expected 5"):
        rs.Operator("add7", glsl, np.uint32([5]), twin=add, domain=[3])
    # Items of two numbers are rows.
    with pytest.raises(rs.RequestError, match=re.escape("(0, 7)")):
        rs.Operator("pairs", "", np.uint32([0, 0]), twin=add, domain=[[1, 2], [0, 7]])


def test_own_operators_are_checked_by_their_twins() -> None:
    xnor = rs.Operator("xnor", XNOR, np.uint32([~np.uint32(0)]), twin=lambda l, r: ~(l ^ r), commutes=True)
    array = np.arange(1000, dtype=np.uint32)
    scanned = rs.scan(array, op=xnor, verify=True)
    assert scanned[2] == ~(~(array[0] ^ array[1]) ^ array[2])
    assert rs.reduce(array, op=xnor, verify=True) == scanned[-1]
    assert rs.Gpu("cpu").scan(array, op=xnor)[-1] == scanned[-1]
    other = rs.Operator("other", XNOR, np.uint32([~np.uint32(0)]), twin=lambda l, r: l & r)
    with pytest.raises(rs.WrongResult, match="operator other .* element 1 is"):
        rs.scan(array, op=other, verify=True)
    with pytest.raises(rs.WrongResult, match="not associative: tilted"):
        rs.scan(array, op=rs.Operator("tilted", TILTED, np.uint32([0]), twin=tilted), verify=True)
    with pytest.raises(rs.RequestError, match="no twin"):
        rs.scan(array, op=rs.Operator("blind", XNOR, np.uint32([~np.uint32(0)])), verify=True)
    with pytest.raises(ZeroDivisionError):
        rs.Operator("raises", XNOR, np.uint32([~np.uint32(0)]), twin=lambda l, r: 1 // 0)
    with pytest.raises(rs.RequestError, match="is wrong"):
        rs.Operator("nothing", XNOR, np.uint32([7]), twin=lambda l, r: ~(l ^ r))
    with pytest.raises(rs.ShaderError, match="operator typo:1"):
        rs.scan(array, op=rs.Operator("typo", "Item combine(Item l, Item r) { return x; }", np.uint32([0])))


def test_recordings_are_shown() -> None:
    recording = rs.record("scan values:3,1,7,0 -a horn")
    assert len(recording) == 2 and len(recording.pages) == len(recording.narration) == 3
    assert "3 + 1 = 4" in recording.narration[1]
    assert recording.values[-1].tolist()[:4] == [3, 4, 11, 11]
    assert recording._repr_svg_().startswith("<svg") and recording.svg(0) == recording.pages[0]
    html = recording._repr_html_()
    assert html.count("<svg") == 3 and 'type="range"' in html and 'max="2" value="0"' in html
    assert re.findall("<div data-page( hidden)?>", html) == ["", " hidden", " hidden"], "it opens on the input"
    with pytest.raises(IndexError):
        recording.svg(3)
    own = rs.record("compact", [3, 0, 7], algorithm="horn")
    assert "compaction of 3" in own.request and '"algorithm"' in own.json()


def test_a_comparison_has_rows_and_a_self_test_is_right() -> None:
    rows = rs.compare("reduce", sizes=[1000], algorithms=["packed", "cpu:sequential"], seconds=0.2)
    assert {row["algorithm"] for row in rows} == {"packed", "cpu:sequential"}
    assert all(row["verified"] and row["ms"] > 0 for row in rows)
    report = rs.selftest(0.5)
    assert report["wrong"] == [] and report["checked"] > 0


def test_every_option_of_the_library_is_in_the_help() -> None:
    for name in ("scan", "reduce", "compact", "sort", "histogram"):
        for option, _, about in rs._native.options(name):
            assert f"\n    {option}" in (getattr(rs, name).__doc__ or "") and about
            assert option in inspect.signature(getattr(rs, name)).parameters
        assert "--" not in getattr(rs, name).__doc__
        assert all(f" {algorithm}," in getattr(rs, name).__doc__ for algorithm in rs.algorithms(name))
    assert "reduce=auto" in rs.algorithms("scan")["hybrid"]


def test_results_have_names_and_are_pickled() -> None:
    found = rs.sort([7, 3], moves="both")
    assert isinstance(found, rs.Results) and repr(found).startswith("Results(values=array([3, 7])")
    values, indices = pickle.loads(pickle.dumps(found))
    assert values.tolist() == found.values.tolist() == [3, 7] and indices.tolist() == found.indices.tolist() == [1, 0]
    with pytest.raises(AttributeError):
        found.keys


def test_memory_is_given_back() -> None:
    """Each `Gpu` ends its thread."""
    before = threads()
    for _ in range(3):
        gpu = rs.Gpu()
        gpu.scan([1, 2])
        del gpu
    gc.collect()
    rs.Gpu().scan([1, 2])
    assert threads() <= before + 1


def threads() -> int:
    names = [path.read_text().strip() for path in Path("/proc/self/task").glob("*/comm")]
    return names.count("rasterscan")


def test_the_picture_of_the_readme_is_what_the_package_draws() -> None:
    drawn = rs.Gpu("cpu").record("scan values:3,1,7,0,4,1,6,3 -a hybrid").svg()
    picture = HERE.parent / "hybrid.svg"
    if os.environ.get("UPDATE_PICTURES"):
        picture.write_text(drawn)
    assert picture.read_text() == drawn


def test_a_users_calls_have_types(tmp_path: Path) -> None:
    calls = [
        ('rs.scan(a, op="max", exclusive=True, order=2, seed_value=[1], dtype="uint32").tolist()', None),
        ("rs.reduce(a, op=np.maximum, keys=[1, 2]).values", None),
        ('rs.sort(a, bits=(8, 24), algorithm="radix")', None),
        ("rs.histogram(a, bins=20, range=(0, 1)).sum()", None),
        ('rs.unique(a, return_counts=True).lengths', None),
        ('rs.scan(a, exlusive=True)', 'Unexpected keyword argument "exlusive"'),
        ('rs.compact(a, order=2)', 'Unexpected keyword argument "order"'),
        ('rs.scan(a, op="mean")', "incompatible type"),
    ]
    head = ["import numpy as np", "import rasterscan as rs", "a = np.arange(2)"]
    (tmp_path / "user.py").write_text("\n".join(head + [call for call, _ in calls]))
    mypy = [sys.executable, "-m", "mypy", "--strict", "user.py"]
    told = subprocess.run(mypy, capture_output=True, text=True, cwd=tmp_path).stdout
    for line, (call, complaint) in enumerate(calls, len(head) + 1):
        complaints = [text for text in told.splitlines() if text.startswith(f"user.py:{line}: error")]
        assert complaint in complaints[0] if complaint else not complaints, (call, told)


def test_types() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "-p", "rasterscan", "--config-file", str(HERE.parent / "pyproject.toml")],
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert done.returncode == 0, done.stdout
    stubs = [sys.executable, "-m", "mypy.stubtest", "rasterscan._native"]
    stubs += ["--ignore-missing-stub", "--ignore-positional-only", "--ignore-disjoint-bases"]
    done = subprocess.run(stubs, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stdout
