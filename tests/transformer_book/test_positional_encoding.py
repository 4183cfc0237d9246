"""The table against independent float64 references, the tables of the literature, and everything it must refuse."""
import ast
import copy
import inspect
import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_chapters import essence
from tests.tolerances import FOUR_DECIMALS, assert_close, assert_within
from transformer_book.positional_encoding import PositionalEncoding, encode_positions, frequencies, positional_encoding

CHAPTER = Path(__file__).parents[2] / "book/04_positional_encoding.ipynb"
EVEN = st.integers(1, 64).map(lambda half: 2 * half)


def reference(positions, d_model, base=10000.0):
    """The formula, column by column, with Python's own floats: shares no code with the library."""
    table = np.empty((len(positions), d_model))
    for row, position in enumerate(positions):
        for column in range(d_model):
            angle = position / base ** (2 * (column // 2) / d_model)
            table[row, column] = math.sin(angle) if column % 2 == 0 else math.cos(angle)
    return torch.from_numpy(table)


# What the library promises of a table in float32, where no number is larger than 1; to position 1,000,000 it is 1.4e-7.
PROMISED = 2e-7


def assert_exact(found, expected, most=PROMISED):
    assert_within(found, expected, most)


def test_ten_by_six_is_the_table_of_the_literature():
    table = positional_encoding(10, 6)
    assert [f"{value:.4f}" for value in table[1]] == ["0.8415", "0.5403", "0.0464", "0.9989", "0.0022", "1.0000"]
    assert [f"{value:.4f}" for value in table[9]] == ["0.4121", "-0.9111", "0.4057", "0.9140", "0.0194", "0.9998"]
    assert_within(1 / frequencies(6), [1, 21.5443, 464.1589], FOUR_DECIMALS)


def test_the_encoding_of_the_worked_example():
    expected = [[0, 1, 0, 1], [0.8415, 0.5403, 0.0100, 0.99995], [0.9093, -0.4161, 0.0200, 0.9998]]
    expected += [[0.1411, -0.9900, 0.0300, 0.9996]]
    assert_within(positional_encoding(4, 4), torch.tensor(expected, dtype=torch.float64), FOUR_DECIMALS)
    assert [f"{value:.4f}" for value in encode_positions([100], 4)[0]] == ["-0.5064", "0.8623", "0.8415", "0.5403"]


def test_512_columns_begin_and_end_as_published():
    table = positional_encoding(2, 512, dtype=torch.float64)
    assert table[0].tolist() == [0.0, 1.0] * 256
    assert [round(value, 4) for value in table[1, :4].tolist()] == [0.8415, 0.5403, 0.8219, 0.5697]
    assert round(table[1, -2].item(), 4) == 0.0001
    assert round(table[1, -1].item(), 8) == 0.99999999


@settings(max_examples=60)
@given(seq_len=st.integers(1, 1100), d_model=EVEN)
def test_every_row_of_the_table_is_its_position_encoded(seq_len, d_model):
    table = positional_encoding(seq_len, d_model)
    assert table.shape == (seq_len, d_model) and table.dtype == torch.float32 and table.is_contiguous()
    rows = sorted({0, seq_len // 2, seq_len - 1, min(255, seq_len - 1), min(256, seq_len - 1)})
    assert_exact(table[rows], reference(rows, d_model))


@settings(max_examples=60)
@given(
    positions=st.lists(st.integers(-1_000_000, 1_000_000), min_size=1, max_size=12),
    d_model=EVEN,
    base=st.sampled_from([10000.0, 100.0, 500_000.0]),
)
def test_positions_in_any_order_are_exact_to_a_million(positions, d_model, base):
    found = encode_positions(positions, d_model, base=base)
    assert found.shape == (len(positions), d_model)
    assert_exact(found, reference(positions, d_model, base))


@settings(max_examples=60)
@given(positions=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12), d_model=EVEN)
def test_positions_between_whole_numbers_are_exact_too(positions, d_model):
    assert_exact(encode_positions(positions, d_model), reference(positions, d_model))


def test_a_default_dtype_of_the_session_changes_nothing():
    torch.set_default_dtype(torch.float16)
    try:
        found = encode_positions([1000.3, 100_000.5], 8), positional_encoding(3, 8)
    finally:
        torch.set_default_dtype(torch.float32)
    assert_exact(found[0], reference([1000.3, 100_000.5], 8))
    assert found[1].dtype == torch.float32


@pytest.mark.parametrize("d_model", [2, 4, 6, *(pytest.param(size, marks=pytest.mark.slow) for size in (62, 64))])
def test_the_table_is_exact_for_every_position_up_to_a_million(d_model):
    table = positional_encoding(1_000_001, d_model)
    for start in range(0, len(table), 125_000):
        positions = torch.arange(start, min(start + 125_000, len(table)))
        assert_exact(table[positions], encode_positions(positions, d_model, dtype=torch.float64))


def test_wide_tables_are_exact_far_out():
    table = positional_encoding(200_001, 512)
    positions = torch.arange(199_000, 200_001)
    assert_exact(table[positions], encode_positions(positions, 512, dtype=torch.float64))
    assert_exact(encode_positions([1_000_000], 512), reference([1_000_000], 512))


def test_a_longer_table_begins_with_the_shorter_one():
    longest = positional_encoding(3000, 64)
    for seq_len in (1, 2, 255, 256, 257, 511, 1000):
        assert torch.equal(positional_encoding(seq_len, 64), longest[:seq_len])


def test_float64_is_exact_to_float64():
    assert_close(positional_encoding(1000, 64, dtype=torch.float64), reference(range(1000), 64), terms=2, scale=1000)
    assert_close(encode_positions(range(1000), 64, dtype=torch.float64), reference(range(1000), 64), terms=2, scale=1000)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_the_exact_table_rounded(dtype):
    exact = reference(range(2000, 2010), 32)
    spacing = torch.finfo(dtype).eps
    assert_exact(positional_encoding(2010, 32, dtype=dtype)[2000:], exact, spacing)
    assert_exact(encode_positions(range(2000, 2010), 32, dtype=dtype), exact, spacing)


def test_positions_keep_their_shape_and_may_lie_between_whole_numbers():
    positions = torch.tensor([[0.5, 1.0], [2.0, -3.25]])
    found = encode_positions(positions, 4)
    assert found.shape == (2, 2, 4)
    assert_exact(found[1, 1, 0], math.sin(-3.25))
    assert encode_positions(7, 4).shape == (4,)


def test_the_meta_device_and_the_default_device_are_followed():
    assert positional_encoding(4, 4, device="meta").is_meta
    with torch.device("meta"):
        assert positional_encoding(4, 4).is_meta
        assert encode_positions([1], 4).is_meta
        assert not encode_positions(torch.tensor([1], device="cpu"), 4).is_meta


@pytest.mark.parametrize("d_model", [7, 1, 0, -4])
def test_d_model_must_be_even_and_positive(d_model):
    for call in (lambda: positional_encoding(4, d_model), lambda: encode_positions([1], d_model),
                 lambda: PositionalEncoding(d_model), lambda: frequencies(d_model)):
        with pytest.raises(ValueError, match=rf"d_model must be an even whole number of at least 2, got {d_model}"):
            call()


@pytest.mark.parametrize("value", [True, 4.0, 4.5, "4", None, torch.tensor(4), np.array(4)])
def test_sizes_that_are_not_whole_numbers_are_refused(value):
    for name, call in {
        "d_model": lambda: positional_encoding(4, value),
        "seq_len": lambda: positional_encoding(value, 4),
        "max_seq_len": lambda: PositionalEncoding(4, max_seq_len=value),
    }.items():
        with pytest.raises(TypeError, match=rf"^{name} must be .*whole number.*got .*{type(value).__name__}"):
            call()


def test_whole_numbers_of_numpy_are_welcome():
    assert positional_encoding(np.int64(3), np.int32(4)).shape == (3, 4)


@pytest.mark.parametrize("seq_len", [0, -1])
def test_a_table_has_at_least_one_row(seq_len):
    with pytest.raises(ValueError, match=f"seq_len must be a whole number of at least 1, got {seq_len}"):
        positional_encoding(seq_len, 4)
    with pytest.raises(ValueError, match="max_seq_len must be"):
        PositionalEncoding(4, max_seq_len=seq_len)


@pytest.mark.parametrize("base", [0, -10.0, math.nan, math.inf, 10**400])
def test_base_must_be_positive_and_finite(base):
    with pytest.raises(ValueError, match="base must be a finite number above 0, got"):
        positional_encoding(4, 4, base=base)
    with pytest.raises(ValueError, match="base must be"):
        encode_positions([1], 4, base=base)


@pytest.mark.parametrize("base", ["10000", True, None, 1 + 2j])
def test_base_must_be_a_number(base):
    with pytest.raises(TypeError, match="base must be a finite number"):
        positional_encoding(4, 4, base=base)


@pytest.mark.parametrize("positions", [[math.nan], [1.0, math.inf], torch.tensor([-math.inf])])
def test_positions_must_be_finite(positions):
    with pytest.raises(ValueError, match="positions must be finite, got"):
        encode_positions(positions, 4)


@pytest.mark.parametrize("positions", [[True], [1j], "12", [[1], [2, 3]], None, [object()]])
def test_positions_must_be_real_numbers(positions):
    with pytest.raises(TypeError, match="positions must be"):
        encode_positions(positions, 4)


@pytest.mark.parametrize("dtype", [torch.int64, torch.complex64, "float32", float])
def test_the_dtype_must_be_a_floating_point_one(dtype):
    with pytest.raises(TypeError, match=r"dtype must be one of torch.float16.*got"):
        positional_encoding(4, 4, dtype=dtype)
    with pytest.raises(TypeError, match="dtype must be"):
        encode_positions([1], 4, dtype=dtype)


@settings(max_examples=40)
@given(leading=st.lists(st.integers(1, 3), max_size=3), seq_len=st.integers(1, 16))
def test_the_module_adds_the_same_rows_to_every_sequence(leading, seq_len):
    x = torch.randn(*leading, seq_len, 6)
    out = PositionalEncoding(6, max_seq_len=16)(x)
    assert out.shape == x.shape
    assert torch.equal(out, x + reference(range(seq_len), 6).float())


def test_a_sequence_of_exactly_max_seq_len_is_welcome_and_one_more_is_not():
    module = PositionalEncoding(6, max_seq_len=10)
    assert module(torch.zeros(2, 10, 6)).shape == (2, 10, 6)
    with pytest.raises(ValueError, match=r"max_seq_len = 10.*seq_len = 11"):
        module(torch.zeros(2, 11, 6))


def test_the_table_is_a_buffer_that_is_not_saved():
    module = PositionalEncoding(6)
    assert dict(module.named_buffers()).keys() == {"encoding"}
    assert not module.state_dict() and not list(module.parameters())
    assert module.encoding.shape == (5000, 6)


def test_the_table_is_built_once():
    module = PositionalEncoding(6)
    before = module.encoding.data_ptr()
    module(torch.zeros(3, 6))
    assert module.encoding.data_ptr() == before


HALVES = [torch.float16, torch.bfloat16]
MOVES = {
    "as built": lambda module: module,
    "half": lambda module: module.half(),
    "bfloat16": lambda module: module.bfloat16(),
    "bfloat16, twice": lambda module: module.bfloat16().to(torch.bfloat16),
    "bfloat16 and back": lambda module: module.bfloat16().float(),
    "double and back": lambda module: module.double().float(),
    "double, then half": lambda module: module.double().half(),
    "through meta": lambda module: module.to("meta").to_empty(device="cpu"),
    "emptied": lambda module: module.to_empty(device="cpu"),
    "within a model": lambda module: torch.nn.Sequential(module).bfloat16()[0],
    "copied": lambda module: copy.deepcopy(module.bfloat16()),
    "saved": lambda module: reloaded(module.bfloat16()),
}


def reloaded(module):
    torch.save(module, file := io.BytesIO())
    file.seek(0)
    return torch.load(file, weights_only=False)


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_the_table_is_never_rounded_below_float32(move):
    module = move(PositionalEncoding(6, max_seq_len=600))
    assert torch.equal(module.encoding, positional_encoding(600, 6))
    assert not module.state_dict() and dict(module.named_buffers()).keys() == {"encoding"}


@pytest.mark.parametrize("before", [torch.float32, torch.float64, *HALVES])
def test_a_float64_module_has_a_float64_table_and_not_a_widened_one(before):
    module = PositionalEncoding(64, max_seq_len=3000).to(before).double()
    assert module.encoding.dtype == torch.float64
    assert_close(module.encoding[::7], reference(range(0, 3000, 7), 64), terms=2, scale=3000)
    for again in (reloaded(module), copy.deepcopy(module), module.to("meta").to_empty(device="cpu")):
        assert_close(again.encoding[::7], reference(range(0, 3000, 7), 64), terms=2, scale=3000)


def test_the_table_of_a_module_on_the_meta_device_is_there_too():
    with torch.device("meta"):
        module = PositionalEncoding(6)
    assert module.encoding.is_meta and module(torch.zeros(3, 6, device="meta")).is_meta
    assert PositionalEncoding(6).to("meta").bfloat16().encoding.is_meta
    assert torch.equal(module.to_empty(device="cpu").encoding, PositionalEncoding(6).encoding)


def test_a_module_that_stays_where_it_is_keeps_its_table():
    module = PositionalEncoding(6)
    before = module.encoding
    assert module.float().to("cpu").encoding is before
    assert module.share_memory().encoding.is_shared()


@pytest.mark.parametrize("autocast", [None, *HALVES])
@pytest.mark.parametrize("of_module", [torch.float32, torch.float64, *HALVES])
@pytest.mark.parametrize("of_x", [torch.float32, torch.float64, *HALVES])
def test_the_result_has_the_dtype_of_x_and_is_rounded_once(of_x, of_module, autocast):
    x = torch.randn(2, 300, 32, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(of_x)
    module = PositionalEncoding(32, max_seq_len=300).to(of_module)
    with torch.autocast("cpu", dtype=autocast, enabled=autocast is not None):
        found = module(x)
    assert found.dtype == of_x
    exact = x.double() + reference(range(300), 32)
    table, half_a_step = 1e-12 if of_module == torch.float64 else 2e-7, torch.finfo(of_x).eps / 2
    wider = torch.promote_types(of_x, module.encoding.dtype)
    slack = table + torch.finfo(wider).eps * exact.abs() + torch.finfo(of_x).smallest_normal
    assert ((found.double() - exact).abs() <= half_a_step * exact.abs() + slack).all()


def test_dropout_works_in_training_only():
    module = PositionalEncoding(64, dropout=0.5)
    x = torch.ones(1, 100, 64)
    assert (module.train()(x) == 0).double().mean() == pytest.approx(0.5, abs=0.05)
    assert torch.equal(module.eval()(x), x + module.encoding[:100])


@pytest.mark.parametrize("dropout", [-0.1, 1.0, math.nan])
def test_dropout_must_be_a_share(dropout):
    with pytest.raises(ValueError, match="dropout must be a finite number of at least 0 and below 1"):
        PositionalEncoding(6, dropout=dropout)


@pytest.mark.parametrize("shape", [(6,), (3, 4), (2, 3, 8)])
def test_the_module_refuses_another_width_or_a_bare_vector(shape):
    with pytest.raises(ValueError, match=r"x must have the shape \(..., seq_len, 6\), got"):
        PositionalEncoding(6)(torch.zeros(shape))


@pytest.mark.parametrize("x", [torch.zeros(3, 6, dtype=torch.int64), [[0.0] * 6]])
def test_the_module_refuses_what_is_not_a_float_tensor(x):
    with pytest.raises(TypeError, match="x must"):
        PositionalEncoding(6)(x)


def test_gradients_pass_through_unchanged():
    x = torch.randn(3, 6, requires_grad=True)
    PositionalEncoding(6)(x).sum().backward()
    assert torch.equal(x.grad, torch.ones(3, 6))


def test_the_class_of_chapter_4_builds_and_adds_as_this_one_does():
    (source,) = (cell["source"] for cell in json.loads(CHAPTER.read_text("utf-8"))["cells"] if cell["id"] == "module-class")
    theirs, ours = (
        {part.name: essence(part) for part in ast.walk(ast.parse(text)) if isinstance(part, ast.FunctionDef)}
        for text in ("".join(source), inspect.getsource(PositionalEncoding))
    )
    assert theirs == {name: ours[name] for name in ("__init__", "forward")}
