"""Multi-head attention against torch's module with the same weights, gradients included; the worked example; refusals."""
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from tests.tolerances import assert_close, largest
from tests.transformer_book.torch_modules import additions, assert_like_torch
from transformer_book.attention import causal_mask, padding_mask
from transformer_book.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from transformer_book.worked_example import ONE_HEAD, TWO_HEADS, robot

SIZE = st.integers(1, 5)
SEED = st.integers(0, 10_000)
PRECISIONS = [torch.float32, torch.float64, torch.bfloat16]
NAMES = ("w_q", "w_k", "w_v", "w_o")


def torch_module(d_model=6, n_heads=2, bias=True, dtype=torch.float64, **options):
    """torch's module, its biases not 0, so that a bias in the wrong place is seen."""
    module = nn.MultiheadAttention(d_model, n_heads, bias=bias, batch_first=True, dtype=dtype, **options)
    for name, parameter in module.named_parameters():
        if "bias" in name:
            nn.init.normal_(parameter)
    return module


def hand_made(weights, n_heads):
    """The worked example's weights, written for rows @ W, in a module whose layers hold the transposes."""
    ours = MultiHeadAttention(4, n_heads, bias=False).double()
    given = {"W_O": torch.eye(4).tolist()} | weights
    ours.load_state_dict({f"{name.lower()}.weight": torch.tensor(rows, dtype=torch.float64).T for name, rows in given.items()})
    return ours


def some_mask(kind, batch, queries, keys):
    """A mask of ours, and the same as torch's module wants it: True where attending is forbidden."""
    if kind == "padding":
        mask = padding_mask(torch.randint(1, keys + 1, (batch,)), keys)
        return mask, {"key_padding_mask": ~mask[:, 0]}
    if kind == "pairs":
        mask = torch.rand(queries, keys) < 0.6
        mask[:, 0] = True
        return mask, {"attn_mask": ~mask}
    return None, {}


@settings(max_examples=120)
@given(
    batch=st.integers(1, 3), queries=SIZE, keys=SIZE, n_heads=st.integers(1, 3), d_k=st.integers(1, 4), bias=st.booleans(),
    kind=st.sampled_from([None, "padding", "pairs"]), dtype=st.sampled_from(PRECISIONS), seed=SEED,
)
def test_values_weights_and_every_gradient_are_torchs(batch, queries, keys, n_heads, d_k, bias, kind, dtype, seed):
    torch.manual_seed(seed)
    d_model = n_heads * d_k
    theirs = torch_module(d_model, n_heads, bias, dtype)
    ours = MultiHeadAttention.from_torch(theirs)
    inputs = [torch.randn(batch, rows, d_model).to(dtype).requires_grad_() for rows in (queries, keys, keys)]
    mask, forbidden = some_mask(kind, batch, queries, keys)
    for need_weights in (False, True):
        found = ours(*inputs, mask, need_weights=need_weights)
        expected, expected_weights = theirs(*inputs, average_attn_weights=False, **forbidden)
        if need_weights:
            found, weights = found
            assert weights.dtype == dtype
            assert_close(weights, expected_weights, terms=additions(ours, keys), scale=largest(inputs, list(ours.parameters())))
        assert_like_torch(ours, theirs, found, expected, inputs)


@settings(max_examples=60)
@given(leading=st.lists(st.integers(1, 3), max_size=3), queries=SIZE, keys=SIZE, mask_axes=st.integers(0, 5), seed=SEED)
def test_any_leading_axes_and_any_mask_that_broadcasts_work_in_both_paths(leading, queries, keys, mask_axes, seed):
    torch.manual_seed(seed)
    ours = MultiHeadAttention(6, 3).double()
    query, memory = torch.randn(*leading, queries, 6).double(), torch.randn(*leading, keys, 6).double()
    full = (*leading, queries, keys)
    mask = torch.rand(full[max(0, len(full) - mask_axes) :]) < 0.6
    fast = ours(query, memory, memory, mask)
    slow, weights = ours(query, memory, memory, mask, need_weights=True)
    assert weights.shape == (*leading, 3, queries, keys)
    assert ((weights > 0) == mask.broadcast_to(full).unsqueeze(-3)).all()
    of_sums = {"terms": additions(ours, keys), "scale": largest(query, memory)}
    assert_close(fast, slow, **of_sums)
    batch = [x.reshape(-1, *x.shape[-2:]) for x in (query, memory, memory)]
    together = ours(*batch, mask.broadcast_to(full).reshape(-1, queries, keys))
    assert_close(fast, together.view(fast.shape), **of_sums)


def biases(shape):
    """A bias that broadcasts to (..., n_heads, queries, keys), in some of the shapes that do."""
    *leading, n_heads, queries, keys = shape
    return {"all": shape, "heads": (n_heads, queries, keys), "distance": (queries, keys), "key": (keys,), "one": (*leading, 1, 1, keys)}


@settings(max_examples=80)
@given(
    leading=st.lists(st.integers(1, 3), max_size=2), queries=SIZE, keys=SIZE, masked=st.booleans(),
    of=st.sampled_from(["all", "heads", "distance", "key", "one"]), dtype=st.sampled_from([torch.float32, torch.float64]), seed=SEED,
)
def test_with_a_bias_both_paths_have_the_same_values_and_gradients(leading, queries, keys, masked, of, dtype, seed):
    torch.manual_seed(seed)
    ours = MultiHeadAttention(6, 3).to(dtype)
    query, memory = (torch.randn(*leading, rows, 6).to(dtype).requires_grad_() for rows in (queries, keys))
    bias = torch.randn(biases((*leading, 3, queries, keys))[of]).to(dtype).requires_grad_()
    mask = torch.rand(*leading, queries, keys) < 0.5 if masked else None
    fast = ours(query, memory, memory, mask, score_bias=bias)
    slow, weights = ours(query, memory, memory, mask, need_weights=True, score_bias=bias)
    hidden = torch.zeros_like(weights, dtype=torch.bool) if mask is None else ~mask.unsqueeze(-3).expand_as(weights)
    assert not weights[hidden].any() and weights[~hidden].all()
    sums = {"terms": additions(ours, keys), "scale": largest(query, memory, bias, list(ours.parameters()))}
    assert_close(fast, slow, **sums)
    slope = torch.randn_like(slow)
    names = ("query", "memory", "score_bias", *(name for name, _ in ours.named_parameters()))
    inputs = (query, memory, bias, *ours.parameters())
    of_fast, of_slow = (dict(zip(names, torch.autograd.grad((out * slope).sum(), inputs), strict=True)) for out in (fast, slow))
    scale = largest(sums["scale"], slope, of_slow)
    assert_close(of_fast, of_slow, terms=2 * sums["terms"] + slope[..., 0].numel(), scale=scale)
    with torch.no_grad():
        assert_close(ours(query, memory, memory, mask, score_bias=bias), slow, **sums)
        assert_close(ours(query, memory, memory, mask, need_weights=True, score_bias=bias)[1], weights, **sums)


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_a_bias_is_what_torchs_module_takes_as_a_mask_of_numbers(need_weights, dtype):
    torch.manual_seed(9)
    theirs = torch_module(dtype=dtype)
    ours = MultiHeadAttention.from_torch(theirs)
    inputs = [torch.randn(3, rows, 6).to(dtype).requires_grad_() for rows in (4, 5, 5)]
    bias = torch.randn(3, 2, 4, 5).to(dtype).requires_grad_()
    found = ours(*inputs, need_weights=need_weights, score_bias=bias)
    expected, _ = theirs(*inputs, attn_mask=bias.flatten(0, 1), need_weights=False)
    assert_like_torch(ours, theirs, found[0] if need_weights else found, expected, [*inputs, bias])


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_a_bias_gives_nothing_to_a_query_that_may_attend_nowhere_and_gets_nothing_back(need_weights, dtype):
    torch.manual_seed(10)
    ours = MultiHeadAttention.from_torch(torch_module(dtype=dtype))
    x, bias = torch.randn(2, 3, 6).to(dtype).requires_grad_(), torch.randn(2, 3, 3).to(dtype).requires_grad_()
    with torch.autograd.set_detect_anomaly(True):
        found = ours(x, x, x, padding_mask([0, 2], 3), need_weights=need_weights, score_bias=bias)
        found = found[0] if need_weights else found
        of_all = torch.autograd.grad(found.square().sum(), [x, bias], retain_graph=True)
        of_the_first = torch.autograd.grad(found[0].square().sum(), [x, bias])
    assert torch.equal(found[0], ours.w_o.bias.expand(3, 6)) and found.isfinite().all()
    assert all(slope.isfinite().all() and slope.any() for slope in of_all)
    assert not of_all[1][..., 2].any(), "padding is never weighed"
    assert not any(slope.any() for slope in of_the_first)


@pytest.mark.parametrize("score_bias", [None, torch.zeros(2, 3, 3), torch.full((3, 3), -math.inf)])
def test_torch_is_never_handed_a_row_that_may_attend_nowhere(score_bias, monkeypatch):
    """Some versions of torch give NaN for it."""
    given, torchs = [], F.scaled_dot_product_attention

    def call(q, k, v, mask, **options):
        given.append(mask)
        return torchs(q, k, v, mask, **options)

    monkeypatch.setattr(F, "scaled_dot_product_attention", call)
    x = torch.randn(2, 3, 6)
    MultiHeadAttention(6, 2)(x, x, x, padding_mask([0, 0], 3), score_bias=score_bias)
    allowed = given[0] if score_bias is None else given[0] > -math.inf
    assert len(given) == 1 and allowed.any(dim=-1).all()


def test_leading_axes_broadcast():
    ours = MultiHeadAttention(6, 2)
    query, memory = torch.randn(4, 3, 6), torch.randn(5, 6)
    for need_weights in (False, True):
        found = ours(query, memory, memory, need_weights=need_weights)
        expected = ours(query, memory.expand(4, 5, 6), memory.expand(4, 5, 6))
        found = found[0] if need_weights else found
        assert_close(found, expected, terms=additions(ours, 5), scale=largest(query, memory))


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_a_query_that_may_attend_nowhere_gets_zero_from_every_head_and_passes_none_on(need_weights, dtype):
    torch.manual_seed(1)
    ours = MultiHeadAttention.from_torch(torch_module(dtype=dtype))
    inputs = [torch.randn(2, 3, 6).to(dtype).requires_grad_() for _ in range(3)]
    mask = padding_mask([0, 2], 3)
    found = ours(*inputs, mask, need_weights=need_weights)
    if need_weights:
        found, weights = found
        assert not weights[0].any() and weights.isfinite().all()
    assert torch.equal(found[0], ours.w_o.bias.expand(3, 6)) and found.isfinite().all()
    learned = [parameter for name, parameter in ours.named_parameters() if name != "w_o.bias"]
    of_all = torch.autograd.grad(found.sum(), [*inputs, *learned], retain_graph=True)
    assert all(slope.isfinite().all() for slope in of_all)
    of_the_first = torch.autograd.grad(found[0].sum(), [*inputs, *learned])
    assert not any(slope.any() for slope in of_the_first)


def test_two_hand_made_heads_give_the_numbers_of_the_worked_example():
    x = robot().input.double()
    attend = hand_made({name: TWO_HEADS[name] for name in ("W_Q", "W_K", "W_V")}, n_heads=2)
    side_by_side, weights = attend(x, x, x, need_weights=True)
    assert [[f"{share:.4f}" for share in head[0]] for head in weights] == [
        ["0.4724", "0.2409", "0.1872", "0.0995"],
        ["0.0973", "0.1799", "0.2499", "0.4729"],
    ]
    assert [[f"{value:.4f}" for value in row] for row in side_by_side] == [
        ["1.2981", "0.6673", "-0.3223", "-0.1152"],
        ["1.2578", "0.7446", "-0.4529", "-0.1374"],
        ["1.2692", "0.7114", "-0.3441", "-0.1188"],
        ["1.2722", "0.6811", "-0.4296", "-0.1333"],
    ]
    mixed = hand_made(TWO_HEADS, n_heads=2)(x, x, x)
    assert_close(mixed, side_by_side @ torch.tensor(TWO_HEADS["W_O"], dtype=torch.float64), terms=4)


def test_one_hand_made_head_gives_the_numbers_of_the_worked_example():
    x = robot().input.double()
    found, weights = hand_made(ONE_HEAD, n_heads=1)(x, x, x, need_weights=True)
    assert [f"{share:.4f}" for share in weights[0, 3]] == ["0.7219", "0.0503", "0.1677", "0.0601"]
    assert [f"{value:.4f}" for value in found[3]] == ["1.1615", "0.7611", "0.3651", "-0.0749"]


@settings(max_examples=40)
@given(leading=st.lists(st.integers(1, 3), max_size=2), seq_len=SIZE, n_heads=SIZE, d_k=SIZE)
def test_heads_are_runs_of_columns_and_come_back_together(leading, seq_len, n_heads, d_k):
    x = torch.randn(*leading, seq_len, n_heads * d_k)
    heads = split_heads(x, n_heads)
    assert heads.shape == (*leading, n_heads, seq_len, d_k)
    for head in range(n_heads):
        assert torch.equal(heads[..., head, :, :], x[..., head * d_k : (head + 1) * d_k])
    assert torch.equal(merge_heads(heads), x)


def test_without_positions_order_changes_nothing_but_the_order():
    torch.manual_seed(2)
    attend = MultiHeadAttention(8, 2).double()
    x, order = torch.randn(7, 8, dtype=torch.float64), torch.randperm(7)
    moved = x[order]
    assert_close(attend(moved, moved, moved), attend(x, x, x)[order], terms=additions(attend, 7), scale=largest(x))


def test_two_causal_layers_tell_the_order_that_one_cannot():
    torch.manual_seed(3)
    first, second = MultiHeadAttention(8, 2).double(), MultiHeadAttention(8, 2).double()
    x, mask = torch.randn(6, 8, dtype=torch.float64), causal_mask(6)
    moved = x[[3, 0, 4, 1, 2, 5]]
    one, other = first(x, x, x, mask), first(moved, moved, moved, mask)
    assert_close(one[-1], other[-1], terms=additions(first, 6), scale=largest(x))
    assert (second(one, one, one, mask) - second(other, other, other, mask))[-1].abs().max().item() > 1e-3


def test_dropout_drops_a_share_of_the_weights_and_scales_up_the_rest():
    torch.manual_seed(4)
    attend, x = MultiHeadAttention(16, 4, dropout=0.25), torch.randn(8, 40, 16)
    _, kept = attend.eval()(x, x, x, need_weights=True)
    found, weights = attend.train()(x, x, x, need_weights=True)
    dropped = weights == 0
    assert dropped.double().mean().item() == pytest.approx(0.25, abs=0.01)
    assert_close(weights[~dropped], kept[~dropped] / 0.75, terms=additions(attend, 40), scale=largest(x))
    values = split_heads(attend.w_v(x), 4)
    assert_close(found, attend.w_o(merge_heads(weights @ values)), terms=additions(attend, 40), scale=largest(x))


@pytest.mark.parametrize("need_weights", [False, True])
def test_dropout_is_right_on_average_and_works_in_training_only(need_weights):
    torch.manual_seed(5)
    attend, x = MultiHeadAttention(8, 2, dropout=0.5).double(), torch.randn(1, 6, 8, dtype=torch.float64)

    def run(x):
        found = attend(x, x, x, need_weights=need_weights)
        return found[0] if need_weights else found

    calm = attend.eval()(x, x, x)
    assert torch.equal(run(x), run(x))
    assert_close(run(x), calm, terms=additions(attend, 6), scale=largest(x))
    attend.train()
    many = run(x.expand(20_000, 6, 8))
    assert (many[0] - many[1]).abs().max().item() > 1e-3
    assert many.std(0).min().item() > 1e-3
    torch.testing.assert_close(many.mean(0, keepdim=True), calm, rtol=0, atol=5 * (many.std(0).max() / 20_000**0.5).item())


@pytest.mark.parametrize("need_weights", [False, True])
def test_a_module_without_dropout_is_the_same_in_training(need_weights):
    attend, x = MultiHeadAttention(8, 2), torch.randn(3, 4, 8)
    one, other = (attend.train(mode)(x, x, x, need_weights=need_weights) for mode in (True, False))
    assert torch.equal(*(out[0] if need_weights else out for out in (one, other)))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("training", [True, False])
def test_a_copy_keeps_dtype_mode_and_dropout_and_shares_no_memory(bias, dtype, training):
    theirs = torch_module(bias=bias, dtype=dtype, dropout=0.3).train(training)
    before = [parameter.clone() for parameter in theirs.parameters()]
    ours = MultiHeadAttention.from_torch(theirs)
    assert (ours.n_heads, ours.dropout.p, ours.training, ours.dropout.training) == (2, 0.3, training, training)
    assert {parameter.dtype for parameter in ours.parameters()} == {dtype}
    assert all(parameter.requires_grad for parameter in ours.parameters())
    assert len(list(ours.parameters())) == (8 if bias else 4)
    places = [parameter.untyped_storage().data_ptr() for parameter in [*ours.parameters(), *theirs.parameters()]]
    assert len(set(places)) == len(places)
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.zero_()
    assert all(torch.equal(*pair) for pair in zip(before, theirs.parameters(), strict=True))


def test_a_copy_stands_where_the_original_stands_and_draws_no_random_numbers():
    assert MultiHeadAttention.from_torch(torch_module().to("meta")).w_q.weight.is_meta
    theirs = torch_module()
    torch.manual_seed(6)
    expected = torch.rand(3)
    torch.manual_seed(6)
    MultiHeadAttention.from_torch(theirs)
    assert torch.equal(torch.rand(3), expected)


@pytest.mark.parametrize("bias", [True, False])
def test_the_state_dict_has_one_matrix_for_each_role(bias):
    found = MultiHeadAttention(6, 2, bias=bias).state_dict()
    kinds = ["weight", "bias"] if bias else ["weight"]
    assert list(found) == [f"{name}.{kind}" for name in NAMES for kind in kinds]
    assert {tuple(found[f"{name}.weight"].shape) for name in NAMES} == {(6, 6)}


def test_it_is_made_of_linear_layers_and_dropout():
    parts = {type(part) for part in MultiHeadAttention(6, 2).modules()}
    assert parts == {MultiHeadAttention, nn.Linear, nn.Dropout}


def test_it_starts_as_torchs_does():
    torch.manual_seed(7)
    ours, theirs = MultiHeadAttention(512, 8), nn.MultiheadAttention(512, 8)
    for name, weight in zip(NAMES, (*theirs.in_proj_weight.chunk(3), theirs.out_proj.weight), strict=True):
        mine = getattr(ours, name).weight
        assert mine.std().item() == pytest.approx(weight.std().item(), rel=0.01)
        assert mine.abs().max().item() == pytest.approx(weight.abs().max().item(), rel=0.001)
        assert not getattr(ours, name).bias.any()


def test_at_the_start_scaled_scores_have_a_variance_of_a_quarter():
    torch.manual_seed(8)
    attend, x = MultiHeadAttention(512, 8), torch.randn(400, 512)
    q, k = split_heads(attend.w_q(x), 8), split_heads(attend.w_k(x), 8)
    assert (q @ k.mT / math.sqrt(64)).var().item() == pytest.approx(0.25, abs=0.02)


def test_autocast_is_followed():
    attend, x = MultiHeadAttention(6, 2), torch.randn(2, 3, 6)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = attend(x, x.bfloat16(), x)
    assert_close(found.bfloat16(), attend(x, x, x), terms=additions(attend, 3), scale=largest(x))


@pytest.mark.parametrize("need_weights", [False, True])
def test_autocast_takes_a_bias_of_the_weights_own_dtype(need_weights):
    attend, x, bias = MultiHeadAttention(6, 2), torch.randn(2, 3, 6), torch.randn(2, 3, 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = attend(x, x, x, causal_mask(3), need_weights=need_weights, score_bias=bias)
    expected = attend(x, x, x, causal_mask(3), score_bias=bias)
    found = found[0] if need_weights else found
    assert_close(found.bfloat16(), expected, terms=additions(attend, 3), scale=largest(x, bias))


@pytest.mark.parametrize(
    ("sizes", "options", "error", "said"),
    [
        ((6, 4), {}, ValueError, "d_model must be a multiple of n_heads = 4, got 6"),
        ((0, 1), {}, ValueError, "d_model must be a whole number of at least 1, got 0"),
        ((6, 0), {}, ValueError, "n_heads must be a whole number of at least 1, got 0"),
        ((6.0, 2), {}, TypeError, "d_model must be a whole number"),
        ((6, True), {}, TypeError, "n_heads must be a whole number"),
        ((6, 2), {"dropout": 1.0}, ValueError, "dropout must be a finite number of at least 0 and below 1, got 1.0"),
        ((6, 2), {"dropout": "0.1"}, TypeError, "dropout must be a finite number"),
    ],
)
def test_sizes_that_make_no_module_are_refused(sizes, options, error, said):
    with pytest.raises(error, match=said):
        MultiHeadAttention(*sizes, **options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"batch_first": False}, "batch_first=True, got batch_first=False"),
        ({"kdim": 4}, "kdim=6, got kdim=4"),
        ({"vdim": 4}, "vdim=6, got vdim=4"),
        ({"add_bias_kv": True}, "add_bias_kv=False, got add_bias_kv=True"),
        ({"add_zero_attn": True}, "add_zero_attn=False, got add_zero_attn=True"),
    ],
)
def test_modules_that_have_more_are_refused(options, said):
    with pytest.raises(ValueError, match=f"module must have {said}"):
        MultiHeadAttention.from_torch(nn.MultiheadAttention(6, 2, **{"batch_first": True} | options))


def test_only_torchs_module_can_be_copied():
    with pytest.raises(TypeError, match=r"module must be an nn.MultiheadAttention, got Linear"):
        MultiHeadAttention.from_torch(nn.Linear(6, 6))


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"query": [[1.0]]}, TypeError, r"query must be a tensor of shape \(\.\.\., seq_len, 6\), got list"),
        ({"key": torch.zeros(2, 5, 4)}, ValueError, r"key must have the shape \(\.\.\., seq_len, 6\), got \(2, 5, 4\)"),
        ({"value": torch.zeros(2, 5, 6, dtype=torch.int64)}, TypeError, "value must hold floating-point numbers, got torch.int64"),
        ({"query": torch.zeros(2, 3, 6).double()}, TypeError, "query must have the dtype of the module, torch.float32, got torch.float64"),
        ({"query": torch.zeros(2, 0, 6)}, ValueError, r"query must hold at least one row, got \(2, 0, 6\)"),
        ({"value": torch.zeros(2, 4, 6)}, ValueError, "value must have as many rows as key, 5, got 4"),
        ({"key": torch.zeros(3, 5, 6)}, ValueError, r"query, key, value must have leading axes that broadcast, got \(2,\), \(3,\), \(2,\)"),
        ({"mask": torch.zeros(3, 5)}, TypeError, r"mask must be a boolean tensor, .* \(2, 3, 5\), got torch.float32"),
        ({"mask": torch.ones(2, 2, 3, 5, dtype=torch.bool)}, ValueError, r"mask must .* \(2, 3, 5\), got \(2, 2, 3, 5\)"),
        ({"score_bias": 1.0}, TypeError, "score_bias must be a tensor of floating-point numbers, got float"),
        ({"score_bias": torch.ones(3, 5, dtype=torch.bool)}, TypeError, "score_bias must hold floating-point numbers, got torch.bool"),
        ({"score_bias": torch.zeros(3, 5).double()}, TypeError, "score_bias must have the dtype of the module, torch.float32, got"),
        ({"score_bias": torch.zeros(3, 3, 5)}, ValueError, r"score_bias must broadcast to \(2, 2, 3, 5\), got \(3, 3, 5\)"),
    ],
)
def test_what_does_not_fit_is_refused(changed, error, said):
    inputs = {"query": torch.zeros(2, 3, 6), "key": torch.zeros(2, 5, 6), "value": torch.zeros(2, 5, 6)}
    with pytest.raises(error, match=said):
        MultiHeadAttention(6, 2)(**inputs | changed)
