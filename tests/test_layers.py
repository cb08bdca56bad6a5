"""Dependencies of the lab point one way, and the engine has one door, used in two places."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "python" / "cyclescope"

LAYERS = (
    {"errors", "record", "quantity", "case", "conditions", "layouts", "members", "program", "cfg"}
    | {"closing", "energy", "interruption", "series", "terms"},
    {
        "files",
        "input_files",
        "seal",
        "machine",
        "tracer",
        "stats",
        "fragment",
        "fragment_call",
        "fragment_options",
        "fragment_turns",
        "fragment_source",
        "fragment_messages",
        "own_work",
    }
    | {"design", "formula", "exact_law", "exploration"},
    {
        "target",
        "results",
        "folder_lock",
        "storage",
        "wire",
        "firmware",
        "probes",
        "boards",
        "kernel_options",
        "virtual",
    }
    | {"power", "schedule", "configurations"},
    {
        "realtime",
        "cyclictest",
        "realtime_link",
        "wired_realtime",
        "switching",
        "model",
        "formula_fit",
        "clustering",
        "technique",
        "timing_around",
        "study",
        "export",
        "executors",
        "campaign",
        "campaign_work",
        "sweeping",
        "explanation",
        "staircase",
        "blocks",
    },
    {"realtime_results", "realtime_tables", "realtime_storage", "realtime_campaign"}
    | {"comparison", "gate", "attribution"}
    | {"realtime_study"},
    {
        "arrangement",
        "fragment_kinds",
        "fragment_processes",
        "fragment_runs",
        "fragment_study",
        "signs",
        "time_errors",
    }
    | {"configuration_study"},
    {"targets", "realtime_targets", "switch_targets", "techniques", "models", "reports"}
    | {"clusterings", "exports"},
    {"studies", "kind"},
    {"kinds"},
    {"cli", "__main__"},
)

ENGINE_DOOR = "virtual"
ENGINE_USERS = {
    "targets/virtual.py",
    "realtime_targets/virtual.py",
    "switch_targets/virtual.py",
    "cli/run.py",
}


FOLDERS = (
    "targets",
    "realtime_targets",
    "techniques",
    "models",
    "clusterings",
    "exports",
    "kinds",
)
"""Open folders, whose members do not know each other."""


def imports(path: Path) -> Iterator[str]:
    """Names below `cyclescope` that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "cyclescope":
            names = [f"cyclescope.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("cyclescope."))


def layer(name: str) -> int:
    found = [number for number, names in enumerate(LAYERS) if name in names]
    assert found, f"{name} stands in no layer of {__file__}"
    return found[0]


def own_folder(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_imports_point_down() -> None:
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        if path == PACKAGE / "__init__.py":
            continue
        own = own_folder(path)
        for name in imports(path):
            # A protocol finds the members of its own folder by name.
            finds_members = name == own + "s" or name == own
            if name != "_engine" and not finds_members and layer(name) > layer(own):
                wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert wrong == []


def importers(name: str) -> set[str]:
    """The files that import `name`, those of its own folder apart."""
    return {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if name in set(imports(path)) and own_folder(path) != name
    }


def test_the_engine_has_one_door_used_in_two_places() -> None:
    assert {own_folder(PACKAGE / path) for path in importers("_engine")} == {ENGINE_DOOR}
    assert importers(ENGINE_DOOR) == ENGINE_USERS


def test_members_of_one_folder_do_not_know_each_other() -> None:
    for folder in FOLDERS:
        for path in (PACKAGE / folder).glob("*.py"):
            if path.name != "__init__.py":
                assert folder not in set(imports(path)), path
