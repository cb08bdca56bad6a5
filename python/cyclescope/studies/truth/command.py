"""`cyclescope truth`: the target's own figures against what the virtual board's clock saw."""

from cyclescope.cli.options import ALL, Cases, Json
from cyclescope.cli.output import console, print_json, progress
from cyclescope.cli.selection import selecting
from cyclescope.target.target import Selection


@selecting
def command(
    selection: Selection,
    case: Cases = None,
    json: Json = False,
) -> None:
    """Compare a target's figures with what the board's clock saw."""
    from cyclescope.studies.truth.measure import CaseTruth, examine
    from cyclescope.studies.truth.report import table
    from cyclescope.targets import open_target

    found: list[CaseTruth] = []
    with progress(quiet=json) as advance:
        advance(0, 0, "building and loading the firmware")
        with open_target(selection) as target:
            for one in examine(target, case or ALL):
                found.append(one)
                advance(len(found), 0, one.case)
    if json:
        print_json({"findings": [one.document() for one in found]})
    else:
        console().print(table(found))
