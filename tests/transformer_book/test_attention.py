"""Attention against torch's own, gradients included; the worked example's numbers; what masks do; what it must refuse."""
import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from tests.tolerances import assert_close, largest
from transformer_book.activations import softmax
from transformer_book.attention import attention_weights, causal_mask, padding_mask, scaled_dot_product_attention
from transformer_book.worked_example import ONE_HEAD, TWO_HEADS, robot

SIZE = st.integers(1, 6)
LEADING = st.lists(st.integers(1, 3), max_size=3)
HIDING = {
    "from one query": [[True, False, True], [False, False, False], [True, True, True]],
    "from every query": [[False, False, False]],
    "before the sentence": [[False, False, False], [False, True, False], [False, True, True]],
    "of one axis": [False, False, False],
}
PRECISIONS = [torch.float32, torch.float64, torch.bfloat16]
# torch compiles a part of its forward mode with what it calls deprecated
FORWARD_MODE = pytest.mark.filterwarnings("ignore:`torch.jit.script` is (deprecated|not supported):DeprecationWarning")


def four_places(rows):
    return [[f"{value:.4f}" for value in row] for row in rows]


def table(text):
    return four_places([[float(number) for number in line.split()] for line in text.strip().splitlines()])


def project(weights, sentence="I am a robot"):
    x = robot(sentence).input.double()
    return [x @ torch.tensor(weights[name], dtype=torch.float64) for name in ("W_Q", "W_K", "W_V")]


def two_heads(sentence="I am a robot"):
    return [x.unflatten(-1, (2, 2)).transpose(0, 1) for x in project(TWO_HEADS, sentence)]


def gradients(call, inputs, slope):
    return torch.autograd.grad((call(*inputs) * slope).sum(), inputs)


def assert_attention_is_torchs(ours, inputs, slope, mask=None):
    """Equal outputs of ours(q, k, v, mask), and equal gradients of the sum of output * slope by queries, keys and values."""
    q, k, v = inputs
    dtype = q.dtype

    def theirs(q, k, v):
        # torch wants a mask of two axes at least, and its sums in bfloat16 to start from exact numbers.
        q, k, v = (x.double() if dtype == torch.bfloat16 else x for x in (q, k, v))
        wanted = None if mask is None else torch.atleast_2d(mask)
        return F.scaled_dot_product_attention(q, k, v, wanted).to(dtype)

    found, expected = ours(*inputs, mask), theirs(*inputs)
    assert found.dtype == dtype
    terms = q.shape[-1] + 2 * k.shape[-2]
    assert_close(found, expected, terms=terms, scale=largest(v))
    mine, others = (
        dict(zip("qkv", slopes, strict=True))
        for slopes in (gradients(lambda *given: ours(*given, mask), inputs, slope), gradients(theirs, inputs, slope))
    )
    terms = 2 * terms + v.shape[-1] + q.shape[-2]
    assert_close(mine, others, terms=terms, scale=largest(slope, inputs))


def output(*inputs):
    return scaled_dot_product_attention(*inputs)[0]


@settings(max_examples=150)
@given(
    leading=LEADING, queries=SIZE, keys=SIZE, d_k=SIZE, d_v=SIZE, dtype=st.sampled_from(PRECISIONS),
    mask_axes=st.integers(-1, 5), seed=st.integers(0, 10_000), data=st.data(),
)
def test_values_and_gradients_are_torchs(leading, queries, keys, d_k, d_v, dtype, mask_axes, seed, data):
    torch.manual_seed(seed)
    shapes = [(*leading, queries, d_k), (*leading, keys, d_k), (*leading, keys, d_v)]
    inputs = [torch.randn(shape).to(dtype).requires_grad_() for shape in shapes]
    slope = torch.randn(*leading, queries, d_v).to(dtype)
    mask = None
    if mask_axes >= 0:
        full = (*leading, queries, keys)
        kept = [size if data.draw(st.booleans()) else 1 for size in full]
        mask = torch.rand(kept[max(0, len(kept) - mask_axes) :]) < 0.6
    assert_attention_is_torchs(output, inputs, slope, mask)


@settings(max_examples=60)
@given(leading=LEADING, queries=SIZE, keys=SIZE, d_k=SIZE, seed=st.integers(0, 10_000))
def test_the_weights_are_shares_of_the_keys_allowed_and_make_the_output(leading, queries, keys, d_k, seed):
    torch.manual_seed(seed)
    q, k, v = (torch.randn(*leading, size, d_k, dtype=torch.float64) for size in (queries, keys, keys))
    mask = torch.rand(queries, keys) < 0.5
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    assert weights.shape == (*leading, queries, keys)
    assert ((weights > 0) == mask).all()
    assert_close(weights.sum(-1), mask.any(-1).double().expand(*leading, queries), terms=2 * keys)
    assert torch.equal(out, weights @ v)


def test_axes_before_the_last_two_broadcast():
    torch.manual_seed(0)
    q, k, v = torch.randn(4, 1, 3, 2), torch.randn(5, 7, 2), torch.randn(7, 2)
    out, weights = scaled_dot_product_attention(q, k, v, torch.ones(4, 1, 1, 7, dtype=torch.bool))
    expected = F.scaled_dot_product_attention(q.expand(4, 5, 3, 2), k.expand(4, 5, 7, 2), v.expand(4, 5, 7, 2))
    assert (out.shape, weights.shape) == ((4, 5, 3, 2), (4, 5, 3, 7))
    assert_close(out, expected, terms=16, scale=largest(v))


@pytest.mark.parametrize("dtype", [torch.float16, *PRECISIONS])
def test_a_query_that_may_attend_nowhere_gets_zeros_and_passes_none_on(dtype):
    torch.manual_seed(2)
    inputs = [torch.randn(2, 3, 4).to(dtype).requires_grad_() for _ in range(3)]
    mask = torch.tensor([[True, False, True], [False, False, False], [True, True, True]])
    out, weights = scaled_dot_product_attention(*inputs, mask)
    assert not out[:, 1].any() and not weights[:, 1].any()
    assert out.isfinite().all() and weights.isfinite().all()
    slopes = torch.autograd.grad((out * torch.randn(4)).sum() + (weights * torch.randn(3)).sum(), inputs)
    assert all(slope.isfinite().all() and slope.any() for slope in slopes)
    assert not slopes[0][:, 1].any(), "its query moves nothing"
    alone = torch.autograd.grad(output(*inputs, mask[1:2]).sum(), inputs)
    assert [slope.abs().max().item() for slope in alone] == [0, 0, 0]


@pytest.mark.parametrize("hidden", HIDING.values(), ids=HIDING)
@pytest.mark.parametrize("dtype", [torch.float16, *PRECISIONS])
def test_where_nothing_is_heard_no_nan_stands_on_the_way_back(dtype, hidden):
    """Torch's detector stops at the first NaN in a gradient, even one that is dropped later."""
    torch.manual_seed(10)
    inputs = [torch.randn(2, 3, 4).to(dtype).requires_grad_() for _ in range(3)]
    with torch.autograd.set_detect_anomaly(True):
        parts = scaled_dot_product_attention(*inputs, torch.tensor(hidden))
        first = torch.autograd.grad(sum(part.float().pow(2).sum() for part in parts), inputs, create_graph=True)
        second = torch.autograd.grad(sum(slope.float().pow(2).sum() for slope in first), inputs)
    assert all(slope.isfinite().all() for slope in (*first, *second))
    nowhere = ~torch.atleast_2d(torch.tensor(hidden)).any(dim=-1).expand(3)
    assert not any(slopes[0][:, nowhere].any() for slopes in (first, second)), "their queries move nothing"


def test_scores_that_overflow_do_no_harm_where_nothing_is_heard():
    q, k, v = (torch.full((2, 3), size, dtype=torch.float16, requires_grad=True) for size in (1.0, 300.0, 1.0))
    loud = torch.cat([q[:1], 300 * q[1:]])
    assert (loud @ k.T).isinf()[1].all()
    with torch.autograd.set_detect_anomaly(True):
        out, _ = scaled_dot_product_attention(loud, k, v, torch.tensor([[True, True], [False, False]]))
        slopes = torch.autograd.grad(out.sum(), (q, k, v))
    assert out.tolist() == [[1, 1, 1], [0, 0, 0]]
    assert all(slope.isfinite().all() for slope in slopes)


@pytest.mark.parametrize("hidden", [None, *HIDING.values()], ids=["nothing hidden", *HIDING])
def test_the_gradients_are_the_slopes_of_the_values_and_theirs_too(hidden):
    torch.manual_seed(3)
    inputs = [torch.randn(3, 2, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    mask = None if hidden is None else torch.tensor(hidden)

    def call(*inputs):
        return scaled_dot_product_attention(*inputs, mask)

    assert torch.autograd.gradcheck(call, inputs)
    assert torch.autograd.gradgradcheck(call, inputs)


def torchs_weights(q, k, mask=None, score_bias=None):
    """The weights as torch has them, as the mixture of values that are the identity; a bias and a mask go in as one tensor."""
    added = torch.zeros((), dtype=q.dtype) if score_bias is None else score_bias
    somewhere = torch.ones(1, dtype=torch.bool)
    if mask is not None:
        somewhere = torch.atleast_1d(mask).any(dim=-1, keepdim=True)
        added = torch.where(mask | ~somewhere, added, -math.inf)
    values = torch.eye(k.shape[-2], dtype=q.dtype)
    return torch.where(somewhere, F.scaled_dot_product_attention(q, k, values, torch.atleast_2d(added)), 0)


def some_shape(full, data):
    """A shape that broadcasts to the full one, with as many of its last axes as are drawn, or fewer."""
    kept = [size if data.draw(st.booleans()) else 1 for size in full]
    return kept[data.draw(st.integers(0, len(kept))) :]


@settings(max_examples=150)
@given(
    leading=LEADING, queries=SIZE, keys=SIZE, d_k=SIZE, dtype=st.sampled_from([torch.float32, torch.float64]),
    masked=st.booleans(), biased=st.booleans(), seed=st.integers(0, 10_000), data=st.data(),
)
def test_weights_and_their_gradients_are_torchs_with_a_bias_and_a_mask(leading, queries, keys, d_k, dtype, masked, biased, seed, data):
    torch.manual_seed(seed)
    full = (*leading, queries, keys)
    inputs = [torch.randn(*leading, rows, d_k).to(dtype).requires_grad_() for rows in (queries, keys)]
    slope = torch.randn(full).to(dtype)
    mask = torch.rand(some_shape(full, data)) < 0.6 if masked else None
    if biased:
        inputs.append((3 * torch.randn(some_shape(full, data))).to(dtype).requires_grad_())

    def ours(q, k, bias=None):
        return attention_weights(q, k, mask, bias)

    def theirs(q, k, bias=None):
        return torchs_weights(q, k, mask, bias)

    found, expected = ours(*inputs), theirs(*inputs)
    assert (found.dtype, found.shape) == (dtype, full)
    sums = {"terms": d_k + 2 * keys, "scale": largest(*inputs)}
    assert_close(found, expected, **sums)
    names = ("q", "k", "score_bias")[: len(inputs)]
    mine, others = (dict(zip(names, gradients(call, inputs, slope), strict=True)) for call in (ours, theirs))
    assert_close(mine, others, terms=2 * sums["terms"] + slope.numel(), scale=largest(slope, inputs))
    with torch.no_grad():
        before = [x.clone() for x in inputs]
        assert_close(ours(*inputs), expected, **sums)
        assert all(torch.equal(*pair) for pair in zip(inputs, before, strict=True)), "what is given is never overwritten"


def test_a_bias_is_added_to_the_scaled_scores():
    q, k = torch.tensor([[2.0, 0, 0, 0]]), torch.tensor([[0.0, 0, 0, 0], [math.log(2), 0, 0, 0]])
    assert attention_weights(q, k).tolist() == [pytest.approx([1 / 3, 2 / 3])], "2 log 2 divided by the root of 4"
    for bias, expected in (([0, math.log(2)], [1 / 5, 4 / 5]), ([math.log(2), 0], [1 / 2, 1 / 2]), (7.0, [1 / 3, 2 / 3])):
        assert attention_weights(q, k, score_bias=torch.tensor(bias)).tolist() == [pytest.approx(expected)]


def test_the_mask_comes_after_the_bias():
    bias = torch.tensor([[1e4, 0.0], [1e4, -1e4]])
    mask = torch.tensor([[False, True], [False, False]])
    assert attention_weights(torch.ones(2, 3), torch.ones(2, 3), mask, bias).tolist() == [[0, 1], [0, 0]]


def test_a_bias_broadcasts_and_the_output_follows_it():
    torch.manual_seed(13)
    q, k, v, bias = torch.randn(2, 1, 3, 4), torch.randn(5, 7, 4), torch.randn(7, 6), torch.randn(5, 1, 7)
    out, weights = scaled_dot_product_attention(q, k, v, score_bias=bias)
    assert (out.shape, weights.shape) == ((2, 5, 3, 6), (2, 5, 3, 7))
    assert torch.equal(weights, attention_weights(q, k, score_bias=bias)) and torch.equal(out, weights @ v)
    each = torch.stack([attention_weights(q[:, 0], k[head], score_bias=bias[head, 0]) for head in range(5)], dim=1)
    assert_close(weights, each, terms=18, scale=largest(q, k, bias))
    assert_close(attention_weights(q, k, score_bias=torch.randn(3, 1)), attention_weights(q, k), terms=18, scale=largest(q, k))


@FORWARD_MODE
@pytest.mark.parametrize("hidden", [None, *HIDING.values()], ids=["nothing hidden", *HIDING])
def test_gradients_with_a_bias_are_the_slopes_of_the_values_and_theirs_too(hidden):
    torch.manual_seed(14)
    inputs = [torch.randn(3, 2, dtype=torch.float64, requires_grad=True) for _ in range(2)]
    inputs.append(torch.randn(3, 3, dtype=torch.float64, requires_grad=True))
    mask = None if hidden is None else torch.tensor(hidden)

    def call(q, k, bias):
        return attention_weights(q, k, mask, bias)

    with torch.autograd.set_detect_anomaly(True):
        assert torch.autograd.gradcheck(call, inputs, check_forward_ad=True)
        assert torch.autograd.gradgradcheck(call, inputs)


@pytest.mark.parametrize("autograd", [True, False])
@pytest.mark.parametrize("mapped", ["q", "k", "mask", "score_bias"])
def test_the_weights_of_a_batch_are_those_of_its_parts_under_vmap(mapped, autograd):
    torch.manual_seed(15)
    inputs = {"q": torch.randn(3, 2), "k": torch.randn(4, 2), "mask": causal_mask(4)[1:], "score_bias": torch.randn(3, 4)}
    many = torch.stack([inputs[mapped], inputs[mapped].flip(-1)])
    with torch.set_grad_enabled(autograd):
        found = torch.func.vmap(lambda part: attention_weights(**inputs | {mapped: part}))(many)
        expected = [attention_weights(**inputs | {mapped: part}) for part in many]
    assert_close(found, torch.stack(expected), terms=10, scale=largest(list(inputs.values())))


def test_scores_weights_and_output_of_one_head_of_the_worked_example():
    q, k, v = project(ONE_HEAD)
    assert four_places(q @ k.T) == table("""
        5.4000  7.0675  2.8980  5.3219
        0.1799 -1.6917 -2.8973 -1.3998
        -3.8224 -4.9107 -4.1319 -1.8086
        -3.6847 -9.0132 -6.6043 -8.6558""")
    out, weights = scaled_dot_product_attention(q, k, v)
    assert four_places(weights) == table("""
        .2198 .5059 .0629 .2114
        .4852 .1903 .1042 .2203
        .1933 .1122 .1656 .5290
        .7219 .0503 .1677 .0601""")
    assert four_places(out) == table("""
        1.4819 0.5573  0.0189 -0.1292
        1.2761 0.6182  0.1282 -0.1127
        1.2826 0.3559 -0.3010 -0.1377
        1.1615 0.7611  0.3651 -0.0749""")
    assert weights.argmax(-1).tolist() == [1, 0, 3, 0]


def test_without_the_scale_robot_hears_almost_only_one_word():
    q, k, v = project(ONE_HEAD)
    _, weights = scaled_dot_product_attention(2 * q, k, v)
    assert round(weights[3, 0].item(), 2) == 0.94


def test_weights_and_outputs_of_two_heads_of_the_worked_example():
    out, weights = scaled_dot_product_attention(*two_heads())
    assert four_places(weights[0]) == table("""
        .4724 .2409 .1872 .0995
        .6157 .2023 .1342 .0478
        .5599 .2092 .1586 .0724
        .5188 .2035 .1767 .1010""")
    assert four_places(weights[1]) == table("""
        .0973 .1799 .2499 .4729
        .0482 .1288 .2178 .6052
        .0889 .1714 .2449 .4948
        .0566 .1381 .2240 .5813""")
    assert four_places(out.transpose(0, 1).flatten(-2)) == table("""
        1.2981 0.6673 -0.3223 -0.1152
        1.2578 0.7446 -0.4529 -0.1374
        1.2692 0.7114 -0.3441 -0.1188
        1.2722 0.6811 -0.4296 -0.1333""")


def test_in_every_order_one_head_finds_the_first_word_and_the_other_robot():
    for order in itertools.permutations(["I", "am", "a", "robot"]):
        _, weights = scaled_dot_product_attention(*two_heads(" ".join(order)))
        tops = weights.argmax(-1).tolist()
        assert tops == [[0] * 4, [order.index("robot")] * 4], order


def test_two_wishes_in_one_head_cancel():
    _, weights = scaled_dot_product_attention(*project(TWO_HEADS))
    assert four_places(weights[:1]) == table(".2506 .2405 .2539 .2550")


def test_a_token_need_not_attend_most_to_itself():
    x = robot().input
    _, weights = scaled_dot_product_attention(x, x, x)
    assert [round(share, 3) for share in weights[0, :2].tolist()] == [0.340, 0.416]


def shares_and_pieces(sentence):
    _, _, v = inputs = project(ONE_HEAD, sentence)
    _, weights = scaled_dot_product_attention(*inputs)
    return weights, weights * v.norm(dim=-1)


def test_a_larger_weight_may_add_the_smaller_piece():
    weights, adds = shares_and_pieces("I am a robot")
    assert [round(share, 3) for share in weights[1, [1, 3]].tolist()] == [0.190, 0.220]
    assert [round(length, 3) for length in adds[1, [1, 3]].tolist()] == [0.359, 0.330]


def test_the_largest_weight_adds_the_largest_piece_in_one_sentence_and_not_in_the_other():
    weights, adds = shares_and_pieces("I am a robot")
    assert weights.argmax(-1).tolist() == adds.argmax(-1).tolist()
    weights, adds = shares_and_pieces("am I a robot")
    assert (weights.argmax(-1)[2].item(), adds.argmax(-1)[2].item()) == (3, 0), "a hears robot most, and am adds most"


def test_robot_as_the_last_word_hears_the_first_most_in_five_orders_of_six():
    favourites = {}
    for order in itertools.permutations(["I", "am", "a"]):
        _, weights = scaled_dot_product_attention(*project(ONE_HEAD, " ".join([*order, "robot"])))
        favourites[" ".join(order)] = weights[3].argmax().item()
    assert favourites == {"I am a": 0, "I a am": 0, "am I a": 0, "am a I": 1, "a I am": 0, "a am I": 0}


@pytest.mark.parametrize("d_k", [64, 256])
def test_the_root_does_not_stop_the_growth_where_queries_and_keys_depend_on_one_another(d_k):
    q, noise = torch.randn(2, 10_000, d_k, generator=torch.manual_seed(11))
    k = q / 2 + math.sqrt(3) / 2 * noise    # variance 1, correlation one half
    scores = (q * k).sum(-1) / math.sqrt(d_k)
    assert scores.mean().item() == pytest.approx(math.sqrt(d_k) / 2, abs=0.1)


def test_shares_hidden_afterwards_and_divided_again_are_those_of_a_mask_until_nothing_is_left():
    mask = torch.tensor([False, True, True])
    calm, wide = torch.tensor([[2.0, 0, 1], [1000, 0, 1]], dtype=torch.float64)
    for scores, lost in ((calm, False), (wide, True)):
        masked = softmax(scores.masked_fill(~mask, -math.inf))
        kept = softmax(scores) * mask
        assert masked.isfinite().all() and (kept / kept.sum()).isnan().any().item() == lost
        if not lost:
            assert_close(kept / kept.sum(), masked, terms=3)


@pytest.mark.parametrize("d_k", [16, 64, 256])
def test_the_scale_is_the_root_of_the_size_of_a_key(d_k):
    torch.manual_seed(4)
    words = 500
    q, k = torch.randn(2, words, d_k, dtype=torch.float64)
    chance = 5 * (4 / (words * d_k) + 2 / words**2) ** 0.5    # five times the relative deviation of such a variance
    assert (q @ k.T).var().item() == pytest.approx(d_k, rel=chance)
    _, weights = scaled_dot_product_attention(q, k, k)
    scores = weights.log() - weights.log().mean(-1, keepdim=True)
    assert scores.var().item() == pytest.approx(1, rel=chance), "the logarithm of the shares is the scores, up to a shift"


def test_the_scale_keeps_gradients_from_vanishing():
    torch.manual_seed(5)
    q, k = torch.randn(2000, 1, 512), torch.randn(2000, 16, 512)

    def top_and_slope(factor):
        weights = scaled_dot_product_attention(factor * q, k, k)[1].squeeze(-2)
        jacobian = torch.diag_embed(weights) - weights[:, :, None] * weights[:, None, :]
        return weights.amax(-1).mean().item(), jacobian.norm(dim=(-2, -1)).median().item()

    # Each bound is some five times the deviation from draw to draw.
    top, slope = top_and_slope(math.sqrt(512))
    assert top == pytest.approx(0.945, abs=0.012) and slope == pytest.approx(0.0006, abs=0.00055)
    top, slope = top_and_slope(1)
    assert top == pytest.approx(0.246, abs=0.009) and slope == pytest.approx(0.304, abs=0.003)


def test_without_a_mask_order_changes_nothing_but_the_order():
    torch.manual_seed(6)
    x, order = torch.randn(7, 4, dtype=torch.float64), torch.randperm(7)
    assert_close(output(x[order], x[order], x[order]), output(x, x, x)[order], terms=18, scale=largest(x))


def test_the_last_of_one_causal_layer_cannot_tell_the_order_and_of_two_it_can():
    torch.manual_seed(7)
    x = torch.randn(8, 4, dtype=torch.float64)
    shuffled = x[[*torch.randperm(7).tolist(), 7]]

    def layer(x):
        return output(x, x, x, causal_mask(len(x)))

    assert_close(layer(shuffled)[-1], layer(x)[-1], terms=20, scale=largest(x))
    assert (layer(layer(shuffled)) - layer(layer(x)))[-1].abs().max().item() > 0.01


def test_a_large_negative_number_is_no_mask():
    """Where nothing is allowed, -1e9 shares among what is forbidden, -inf alone is not a number, and a mask gives 0."""
    x = torch.randn(3, 2, generator=torch.Generator().manual_seed(8))
    scores, nowhere = x @ x.T, torch.zeros(3, dtype=torch.bool)
    assert softmax(scores.masked_fill(~nowhere, -1e9)).flatten().tolist() == pytest.approx([1 / 3] * 9)
    assert softmax(scores.masked_fill(~nowhere, -math.inf)).isnan().all()
    assert not scaled_dot_product_attention(x, x, x, nowhere)[1].any()


def test_float16_has_a_lowest_number_that_is_no_mask_either():
    scores, nowhere = torch.randn(3, generator=torch.manual_seed(12)).half(), torch.zeros(3, dtype=torch.bool)
    with pytest.raises(RuntimeError, match="overflow"):
        scores.masked_fill(~nowhere, -1e9)
    lowest = torch.finfo(torch.float16).min
    assert lowest == -65504
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        low, one = torch.finfo(dtype).min, torch.tensor([True, False, True])
        same = softmax(scores.to(dtype).masked_fill(~one, low)), softmax(scores.to(dtype).masked_fill(~one, -math.inf))
        assert torch.equal(*same)
        assert softmax(scores.to(dtype).masked_fill(~nowhere, low)).tolist() == pytest.approx([1 / 3] * 3, rel=1e-2)


@pytest.mark.parametrize("seq_len", [1, 2, 5])
def test_a_causal_mask_allows_what_came_before(seq_len):
    found = causal_mask(seq_len)
    assert found.dtype == torch.bool
    assert found.tolist() == [[key <= query for key in range(seq_len)] for query in range(seq_len)]
    q, k, v = torch.randn(3, 2, seq_len, 4, dtype=torch.float64)
    expected = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert_close(output(q, k, v, found), expected, terms=4 + 2 * seq_len, scale=largest(v))


@pytest.mark.parametrize("lengths", [[3, 1, 0, 4], torch.tensor([3, 1, 0, 4], dtype=torch.uint8), []])
def test_a_padding_mask_allows_the_first_keys_of_each_sequence(lengths):
    found = padding_mask(lengths, 4)
    assert (found.dtype, found.shape) == (torch.bool, (len(lengths), 1, 4))
    assert found[:, 0].tolist() == [[key < length for key in range(4)] for length in lengths]
    assert (causal_mask(4) & found).shape == (len(lengths), 4, 4)


def test_what_stands_in_the_padding_does_not_matter():
    torch.manual_seed(9)
    x = torch.randn(2, 5, 4)
    changed = x.clone()
    changed[1, 3:] = 100.0
    mask = padding_mask([5, 3], 5)
    assert torch.equal(output(x, changed, changed, mask), output(x, x, x, mask))


@pytest.mark.parametrize("seq_len", [0, -1, 2.0, True])
def test_a_mask_of_no_length_is_refused(seq_len):
    for call in (causal_mask, lambda seq_len: padding_mask([0], seq_len)):
        with pytest.raises((TypeError, ValueError), match="seq_len must be a whole number of at least 1, got"):
            call(seq_len)


@pytest.mark.parametrize(
    ("lengths", "error", "said"),
    [
        ([1, 5], ValueError, "lengths must be from 0 to 4, got 5"),
        ([-1], ValueError, "lengths must be from 0 to 4, got -1"),
        ([1.0], TypeError, "lengths must be whole numbers, got torch.float32"),
        ([[1], [2]], ValueError, "lengths must have 1 dimension, got 2"),
        (3, ValueError, "lengths must have 1 dimension, got 0"),
        ("3", TypeError, "lengths must be whole numbers"),
    ],
)
def test_lengths_that_fit_no_batch_are_refused(lengths, error, said):
    with pytest.raises(error, match=said):
        padding_mask(lengths, 4)


def example(**changed):
    return {"q": torch.zeros(2, 3, 4), "k": torch.zeros(2, 5, 4), "v": torch.zeros(2, 5, 6)} | changed


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"q": [[1.0]]}, TypeError, "q must be a tensor of floating-point numbers, got list"),
        ({"k": torch.zeros(2, 5, 4, dtype=torch.int64)}, TypeError, "k must hold floating-point numbers, got torch.int64"),
        ({"v": torch.zeros(2, 5, 6).double()}, TypeError, "v must have the dtype of q, torch.float32, got torch.float64"),
        ({"q": torch.zeros(4)}, ValueError, r"q must have the shape \(..., seq_len, size\).*got \(4,\)"),
        ({"k": torch.zeros(2, 0, 4)}, ValueError, r"k must .* neither of them 0, got \(2, 0, 4\)"),
        ({"k": torch.zeros(2, 5, 3)}, ValueError, "k must have the size of q, 4 numbers a row, got 3"),
        ({"v": torch.zeros(2, 4, 6)}, ValueError, "v must have as many rows as k, 5, got 4"),
        ({"v": torch.zeros(3, 5, 6)}, ValueError, r"q, k, v must have leading axes that broadcast, got \(2,\), \(2,\), \(3,\)"),
        ({"mask": torch.ones(3, 5)}, TypeError, r"mask must be a boolean tensor, True where .* \(2, 3, 5\), got torch.float32"),
        ({"mask": [[True]]}, TypeError, "mask must be a boolean tensor, .*got list"),
        ({"mask": torch.ones(3, 4, dtype=torch.bool)}, ValueError, r"broadcasts to \(2, 3, 5\), got \(3, 4\)"),
        ({"mask": torch.ones(2, 1, 3, 5, dtype=torch.bool)}, ValueError, r"got \(2, 1, 3, 5\)"),
    ],
)
def test_what_does_not_fit_is_refused(changed, error, said):
    with pytest.raises(error, match=said):
        scaled_dot_product_attention(**example(**changed))


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"score_bias": [[1.0]]}, TypeError, "score_bias must be a tensor of floating-point numbers, got list"),
        ({"score_bias": 1.0}, TypeError, "score_bias must be a tensor of floating-point numbers, got float"),
        ({"score_bias": torch.ones(3, 5, dtype=torch.bool)}, TypeError, "score_bias must hold floating-point numbers, got torch.bool"),
        ({"score_bias": torch.zeros(3, 5).double()}, TypeError, "score_bias must have the dtype of q, torch.float32, got torch.float64"),
        ({"score_bias": torch.zeros(3, 4)}, ValueError, r"score_bias must broadcast to \(2, 3, 5\), got \(3, 4\)"),
        ({"score_bias": torch.zeros(2, 1, 3, 5)}, ValueError, r"score_bias must broadcast to \(2, 3, 5\), got \(2, 1, 3, 5\)"),
        ({"mask": torch.ones(3, 4, dtype=torch.bool)}, ValueError, r"mask must .* broadcasts to \(2, 3, 5\), got \(3, 4\)"),
        ({"k": torch.zeros(2, 5, 3)}, ValueError, "k must have the size of q, 4 numbers a row, got 3"),
        ({"k": torch.zeros(3, 5, 4)}, ValueError, r"q, k must have leading axes that broadcast, got \(2,\), \(3,\)"),
    ],
)
def test_what_does_not_fit_the_weights_is_refused(changed, error, said):
    inputs = example(**changed)
    del inputs["v"]
    with pytest.raises(error, match=said):
        attention_weights(**inputs)
