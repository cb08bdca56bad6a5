"""Options made from the settings that boards' files declare (docs/reference/boards.md).

Every setting of every board that comes with Cyclescope is an option. So the target refuses a
setting of another board, in its own sentence. Help shows the settings of the chosen board.
"""

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.boards import Value

if TYPE_CHECKING:
    from cyclescope.firmware.board_firmware import BoardSetting

PREFIX = "setting_"
"""Of the parameters that settings become; their options are called as the settings are."""
FLAG = "--board"
ARGUMENT = "--argument"
"""Of verbs that run a program of the user's: what stands behind -- is given to it."""


def settings_of(board: str) -> "Mapping[str, BoardSetting]":
    """The settings of a board by name; of a recording, or where there is none, the usual one's."""
    try:
        return boards.firmware_of(board).settings
    except CyclescopeError:
        return boards.firmware_of(boards.USUAL).settings


def board_in(arguments: Sequence[str], usual: str) -> str:
    """The board that a command line names."""
    named = usual
    for number, one in enumerate(arguments):
        if one.startswith(f"{FLAG}="):
            named = one.partition("=")[2]
        elif one == FLAG and number + 1 < len(arguments):
            named = arguments[number + 1]
    return named


def parameters(board: str, usual: Mapping[str, Value]) -> dict[str, inspect.Parameter]:
    """One parameter for each setting by name; those that the board lacks are hidden.

    `usual` are values that a verb takes where the user gives none and the board has them.
    """
    own = settings_of(board)
    all_boards = [own, *map(settings_of, boards.with_settings())]
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


def _default(setting: "BoardSetting | None", usual: Value | None) -> Value | None:
    """The verb's value of a setting if this board has it, else the board's own."""
    if setting is None:
        return None
    return usual if usual in setting.values else setting.default


def _parameter(
    setting: "BoardSetting", accepted: tuple[Value, ...], default: Value | None, hidden: bool
) -> inspect.Parameter:
    """The option of a setting: it takes what some board does, and shows what this one does."""
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
        if made_for is not None:
            program = typer.Typer(add_completion=False)
            program.command()(made_for(args[: args.index("--")] if "--" in args else args))
            made = typer.main.get_command(program)
            self.params, self.callback = made.params, made.callback
        return super().parse_args(ctx, self._with_arguments(args))

    def _with_arguments(self, args: list[str]) -> list[str]:
        """Words behind -- as --argument, if the verb has that option."""
        if "--" not in args or not any(ARGUMENT in one.opts for one in self.params):
            return args
        own = args[: args.index("--")]
        return [*own, *(f"{ARGUMENT}={one}" for one in args[len(own) + 1 :])]
