"""Draws docs/pictures/blocks*.svg: a graph before and after it is left early.

usage: python benches/pictures/blocks.py
"""

from pathlib import Path

from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.studies.blocks.analyse import analyse
from cyclescope.studies.blocks.measure import PLANS, measure
from cyclescope.studies.blocks.report.cfg_svg import draw
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

ROOT = Path(__file__).parent.parent.parent
PICTURES = ROOT / "docs" / "pictures"


def main() -> None:
    source = FragmentSource(ROOT / "examples" / "blocks" / "conditionals.c", PLANS, optimise="-O1")
    selection = Selection(
        "lpc2148", "bare", settings={"code": "sram", "isa": "thumb"}, fragment=source
    )
    with open_target(selection) as target:
        measured = measure(target)
    whole = measured.model_copy(update={"equations": measured.equations[:1]})
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "blocks_whole.svg").write_text(draw(analyse(whole)))
    (PICTURES / "blocks.svg").write_text(draw(analyse(measured)))


if __name__ == "__main__":
    main()
