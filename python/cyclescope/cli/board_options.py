"""Options made from the settings that boards' files declare (docs/reference/boards.md).

The settings of the chosen board are options. Where these do not take a command line, every setting
of every board that comes with Cyclescope is one, with the values of all of them. So the target
refuses a setting of another board, in its own sentence.

To load the check of board files takes longer than all else before a verb begins. So settings are
read without it; whoever opens the board makes it.
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import typer
from typer.core import TyperCommand

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.boards import Value

PREFIX = "setting_"
"""Of the parameters that settings become; their options are called as the settings are."""
FLAG = "--board"
ARGUMENT = "--argument"
"""Of verbs that run a program of the user's: what stands behind -- is given to it."""


class OfferedSetting(NamedTuple):
    """A setting as its option needs it (firmware/board_firmware.py says what each part is)."""

    name: str
    values: tuple[Value, ...]
    default: Value | None
    unit: str
    help: str


Settings = Mapping[str, OfferedSetting]
"""By name; of two with one name, the later."""


def settings_of(board: str) -> Settings:
    """The settings of a board; of a recording, or where there is none, the usual one's."""
    try:
        return _offered(board)
    except CyclescopeError:
        return _offered(boards.USUAL)


def _offered(board: str) -> Settings:
    """The settings in a board's file, as they are written. A file that looks wrong is checked."""
    tables: Sequence[Any] = boards.firmware_table(board)["setting"]
    if not all(map(_can_be_offered, tables)):
        tables = [one.model_dump() for one in boards.firmware_of(board).setting]
    offered = (
        OfferedSetting(
            one["name"], tuple(one["values"]), one.get("default"), one.get("unit", ""), one["help"]
        )
        for one in tables
    )
    return {one.name: one for one in offered}


def _can_be_offered(table: Any) -> bool:
    if not isinstance(table, dict):
        return False
    name, text, unit = (table.get(key, "") for key in ("name", "help", "unit"))
    values = table.get("values", ())
    return (
        all(isinstance(one, str) for one in (name, text, unit))
        and re.search(boards.SETTING_NAME, name) is not None
        and bool(text and values)
        and isinstance(values, list)
        and {*map(type, values), type(table.get("default", values[0]))} <= {int, str}
    )


def board_in(arguments: Sequence[str], usual: str) -> str:
    """The board that a command line names."""
    named = usual
    for number, one in enumerate(arguments):
        if one.startswith(f"{FLAG}="):
            named = one.partition("=")[2]
        elif one == FLAG and number + 1 < len(arguments):
            named = arguments[number + 1]
    return named


def parameters(
    board: str, usual: Mapping[str, Value], of_every_board: bool
) -> dict[str, inspect.Parameter]:
    """One parameter for each setting by name, of the board or of all; those that the board lacks
    are hidden.

    `usual` are values that a verb takes where the user gives none and the board has them.
    """
    own = settings_of(board)
    all_boards = [own, *(map(settings_of, boards.with_settings()) if of_every_board else ())]
    every = {name: one for there in reversed(all_boards) for name, one in there.items()}
    return {
        name: _parameter(
            every[name],
            tuple(dict.fromkeys(v for one in all_boards if name in one for v in one[name].values)),
            _default(own.get(name), usual.get(name)),
            hidden=name not in own,
        )
        for name in {**own, **every}
    }


def _default(setting: OfferedSetting | None, usual: Value | None) -> Value | None:
    """The verb's value of a setting if this board has it, else the board's own."""
    if setting is None:
        return None
    return usual if usual in setting.values else setting.default


def _parameter(
    setting: OfferedSetting, accepted: tuple[Value, ...], default: Value | None, hidden: bool
) -> inspect.Parameter:
    """The option of a setting: it takes what is accepted, and shows what this board takes."""
    option: dict[str, Any] = {"help": setting.help, "hidden": hidden}
    numbers = [one for one in accepted if isinstance(one, int)]
    if len(numbers) == len(accepted):
        kind: Any = int
        least, most = min(numbers), max(numbers)
        if set(numbers) == set(range(least, most + 1)):
            option |= {"min": least, "max": most}
        if setting.unit:
            option["metavar"] = setting.unit
    else:
        kind = Literal[tuple(map(str, accepted))]
        option["metavar"] = f"<{'|'.join(map(str, setting.values))}>"
    return inspect.Parameter(
        PREFIX + setting.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind | None, typer.Option(f"--{setting.name}", **option)],
    )


def unusual(board: str, values: Mapping[str, Value | None]) -> dict[str, Value]:
    """Those of the values that are not what the board's file has."""
    own = settings_of(board)
    return {
        name: value
        for name, value in values.items()
        if value is not None and not (name in own and own[name].default == value)
    }


def _choose_tier(name: str | None) -> None:
    """Boards of this call execute so; the engine is asked for only then."""
    if name is not None:
        from cyclescope.targets.virtual import board

        board.choose_tier(name)


TierOption = Annotated[
    str | None,
    typer.Option(
        "--tier",
        metavar="<tier>",
        help="plain, block or translated: how a virtual board executes. No result changes.",
        callback=_choose_tier,
        expose_value=False,
    ),
]


def tier_option() -> Any:
    """The option of every verb that opens a board: how that executes."""

    def verb(tier: TierOption = None) -> None:
        """Has the option alone."""

    program = typer.Typer(add_completion=False)
    program.command()(verb)
    (option,) = typer.main.get_command(program).params
    return option


class BoardCommand(TyperCommand):
    """A verb whose options, if it has any of a board, are those of the board it is called with."""

    def get_params(self, ctx: Any) -> list[Any]:
        """As typer does; with the option for the tier, where there is one for the board."""
        params = super().get_params(ctx)
        opens = any(FLAG in one.opts for one in self.params)
        return [*params[:-1], tier_option(), *params[-1:]] if opens else params

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Takes the options of the board that `args` name; then as typer does."""
        made_for = getattr(self.callback, "made_for", None)
        if made_for is None:
            return super().parse_args(ctx, self._with_arguments(args))
        try:
            return self._parse_with(made_for, False, ctx, args)
        except typer.TyperException:
            return self._parse_with(made_for, True, ctx, args)

    def _parse_with(
        self, made_for: Any, of_every_board: bool, ctx: Any, args: Sequence[str]
    ) -> list[str]:
        own = args[: args.index("--")] if "--" in args else args
        program = typer.Typer(add_completion=False)
        program.command()(made_for(own, of_every_board))
        made = typer.main.get_command(program)
        self.params, self.callback = made.params, made.callback
        return super().parse_args(ctx, self._with_arguments(args))

    def _with_arguments(self, args: Sequence[str]) -> list[str]:
        """A copy, which typer may empty: words behind -- as --argument, if there is that option."""
        if "--" not in args or not any(ARGUMENT in one.opts for one in self.params):
            return [*args]
        own = args[: args.index("--")]
        return [*own, *(f"{ARGUMENT}={one}" for one in args[len(own) + 1 :])]
