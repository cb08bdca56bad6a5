"""littlefs is fetched for counts of files where no firmware was built before."""

from pathlib import Path

import pytest

from cyclescope.sources import board_model
from cyclescope.sources.host_compiler import host_compiler
from cyclescope.sources.syntax import SourceError


def test_the_makefile_knows_how_to_fetch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(board_model, "LITTLEFS", tmp_path)
    with pytest.raises(SourceError, match="its files are not there") as refused:
        board_model.objects(host_compiler())
    assert refused.value.code == "littlefs-missing"
