"""Samples by columns are the samples that were put in."""

import pytest

from cyclescope.target.series import RawSample, RawSamples

PLAIN = [RawSample(0xFFFF_FFFE, 7, False), RawSample(9, 12, True)]
LOOKED_AT = [RawSample(1, 2, True, 0, 9**12), RawSample(3, 4, False, 17, -1)]


@pytest.mark.parametrize("samples", [PLAIN, LOOKED_AT, []])
def test_columns_hold_the_samples(samples: list[RawSample]) -> None:
    columns = RawSamples.of(samples)
    assert list(columns) == [columns[index] for index in range(len(columns))] == samples
    assert columns == RawSamples.of(iter(samples))
    values = {type(value) for sample in columns for value in sample}
    assert values <= {int, bool, type(None)}


def test_other_samples_are_not_equal() -> None:
    assert RawSamples.of(PLAIN) != RawSamples.of(PLAIN[:1])
    assert RawSamples.of(PLAIN) != RawSamples.of([PLAIN[0], PLAIN[1]._replace(stop=13)])


def test_a_field_is_in_all_samples_or_in_none() -> None:
    with pytest.raises(TypeError):
        RawSamples.of([*LOOKED_AT, *PLAIN])
