"""`cyclescope report`: a results folder as one self-contained HTML file."""

from cyclescope.cli.options import Clustering, Json, OutFile, ResultsFolder
from cyclescope.cli.output import REPORT, print_json, working, write_file


def command(
    folder: ResultsFolder,
    out: OutFile = None,
    clustering: Clustering = "",
    json: Json = False,
) -> None:
    """Write the HTML report of a results folder.

    Without --out it is DIR/report.html.
    """
    from cyclescope.results import result_type

    path = out or folder / REPORT
    with working("analysing", json):
        found = result_type.of(folder).analyse(folder)
        page = (found.by_clustering(clustering) if clustering else found).page()
        write_file(path, page)
    if json:
        print_json({"folder": str(folder), "report": str(path)})
    else:
        print(f"report in {path}")
