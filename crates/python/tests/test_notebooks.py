"""The notebooks run from the first cell to the last, and become pages that need nothing else."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_a_notebook_runs_and_becomes_a_page(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "clear the outputs before you commit"
    ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(tmp_path)}})
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("text/html" in output.get("data", {}) for output in shown) >= 2
    exporter = HTMLExporter(template_name="classic", mathjax_url="", require_js_url="", jquery_url="", exclude_input_prompt=True, exclude_output_prompt=True)
    page, _ = exporter.from_notebook_node(notebook)
    wanted = [url for url in re.findall(r'(?:src|href)="(.*?)"', page) if url and not url.startswith("#")]
    assert not wanted, f"the page needs {wanted}"
    folder = Path(os.environ.get("RASTERSCAN_PAGES", tmp_path))
    (folder / f"{path.stem}.html").write_text(page)
