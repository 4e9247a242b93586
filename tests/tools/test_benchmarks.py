"""Test the command line of the benchmarks."""

import pytest

from tools.benchmarks.__main__ import MEASURES, main, measure_parser


@pytest.mark.parametrize("name", MEASURES)
def test_each_measure_has_a_description_and_typed_options(name):
    parser = measure_parser(name)
    assert parser.description
    required = [argument for action in parser._actions if action.required for argument in (action.option_strings[0], "a.json")]
    assert all(value is not None for value in vars(parser.parse_args(required)).values())


def test_options_have_the_types_of_their_defaults():
    assert vars(measure_parser("cluster").parse_args(["--captions", "a", "--workers", "3", "4"]))["workers"] == [3, 4]
    assert vars(measure_parser("visitors").parse_args(["--pause", "1"]))["pause"] == 1.0


def test_an_unknown_measure_is_an_error(capsys):
    assert main(["no-such-measure"]) == main([]) == 2
    assert "ratios" in capsys.readouterr().err
