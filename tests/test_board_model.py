"""littlefs is fetched for counts of files where no firmware was built before."""

from pathlib import Path

import pytest
from refusals import refused

from cyclescope.sources import board_model
from cyclescope.sources.host_compiler import host_compiler


def test_the_makefile_knows_how_to_fetch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(board_model, "LITTLEFS", tmp_path)
    with refused("littlefs-missing", naming=["its files are not there"]):
        board_model.objects(host_compiler())
