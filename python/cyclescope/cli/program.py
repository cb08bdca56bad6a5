"""The program: its verbs, its exit codes, and how errors are reported.

Exit codes: 0 done, 1 an error, in one sentence on stderr, 2 wrong usage, 3 a comparison breaks
a rule, 130 interrupted.
With `--json` an error is also on stdout, as `{"error": SENTENCE, "code": CODE}`.
`--debug`, anywhere, shows where an error was raised before its sentence.
"""

import json
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import typer

from cyclescope import interruption
from cyclescope.cli import standard_output as _standard_output
from cyclescope.cli.standard_output import OutputError
from cyclescope.cli.verbs import Verbs
from cyclescope.errors import CyclescopeError, Interrupted, WrongUsage

DEBUG = "--debug"


def application() -> typer.Typer:
    """The program; its verbs are the questions that have a `command.py`."""
    app = typer.Typer(
        cls=Verbs,
        help="Measure the cost of every operating-system call, in cycles, and explain it.",
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )
    app.callback()(_common)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(version("cyclescope"))
        raise typer.Exit


def _common(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", help="Print the version.", callback=_print_version, is_eager=True
    ),
) -> None:
    """Options of the program itself; without a verb it says what verbs there are.

    `--debug`, anywhere, shows where an error was raised before its sentence.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


def execute(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code."""
    asked = [argument for argument in arguments if argument != DEBUG]
    try:
        _refuse_other_than_utf8(asked)
        code: Any = application()(asked, prog_name="cyclescope", standalone_mode=False)
        if code == Interrupted.exit_code and interruption.asked():
            raise Interrupted("interrupted")  # between typer and a verb, where it says nothing
        return code if isinstance(code, int) else 0
    except SystemExit as ended:  # typer's way to end the options of completion
        return ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    except typer.TyperException as error:
        from cyclescope.cli.usage import sentence

        return _fail(WrongUsage(sentence(error)), error.exit_code, arguments)
    except OutputError:
        raise
    except CyclescopeError as error:
        return _fail(error, error.exit_code, arguments)


def _refuse_other_than_utf8(arguments: Sequence[str]) -> None:
    """Results and pages hold names of files, and are UTF-8."""
    for one in arguments:
        text = one.encode(errors="backslashreplace").decode()
        if text != one:
            raise WrongUsage(f"{text} is not UTF-8: rename the file or folder")


def _fail(error: CyclescopeError, exit_code: int, arguments: Sequence[str]) -> int:
    if DEBUG in arguments:
        traceback.print_exc()
    if "--json" in arguments:
        print(json.dumps({"error": error.sentence, "code": error.code}))
    _complain(error.sentence)
    return exit_code


def _complain(sentence: str) -> None:
    """A sentence for people, the last one; one line, whatever it quotes."""
    interruption.ending()
    print(f"cyclescope: {' '.join(sentence.split())}", file=sys.stderr)


def main() -> None:
    """The `cyclescope` program."""
    with interruption.heeded():
        code = _execute_to_the_end(sys.argv[1:])
        interruption.ending()
    sys.exit(code)


def _execute_to_the_end(arguments: Sequence[str]) -> int:
    """Runs one command line up to the last byte of its output; Ctrl-C again ends its ending."""
    try:
        _standard_output.install()
        code = execute(arguments)
        _standard_output.flush()
        return code
    except OutputError as error:
        _standard_output.give_up()
        _complain(error.sentence)
        return error.exit_code
    except KeyboardInterrupt:
        _standard_output.give_up()
        _complain("interrupted again: what had not been written yet is lost")
        return Interrupted.exit_code
