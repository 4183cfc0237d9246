"""The tolerance lets rounding pass and nothing else: real mistakes in the library's modules, held to torch as the tests hold them."""
import math
from collections.abc import Callable
from contextlib import contextmanager

import pytest
import torch
from torch import nn

from tests.tolerances import TooFarError, assert_close, largest
from tests.transformer_book.test_activations import assert_softmaxes
from tests.transformer_book.test_attention import assert_attention_is_torchs
from tests.transformer_book.test_embedding import assert_same_gradient
from tests.transformer_book.test_encoder import stretch_of
from tests.transformer_book.test_positional_encoding import assert_exact, reference
from tests.transformer_book.torch_modules import assert_like_torch, torch_layer, torch_module, torch_stack
from transformer_book import decoder, multi_head_attention
from transformer_book.activations import softmax
from transformer_book.attention import causal_mask, padding_mask
from transformer_book.decoder import Decoder, Transformer
from transformer_book.embedding import TokenEmbedding
from transformer_book.encoder import Encoder, EncoderLayer, LayerNorm
from transformer_book.multi_head_attention import MultiHeadAttention
from transformer_book.positional_encoding import encode_positions, positional_encoding

TEN = 10  # times what is allowed: so far off is each mistake, or farther
both_precisions = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


@contextmanager
def refused():
    with pytest.raises(TooFarError) as caught:
        yield
    assert caught.value.times >= TEN, caught.value


# What is compared: each as in the tests of the library, with a place to break ours. --------------------------------------


def compare_encoder(dtype, broken, *, kind=Encoder, norm_first=False, mask=None):
    """Our layer or stack of two against torch's, under a causal mask; ours may be given another one."""
    torch.manual_seed(0)
    if kind is Encoder:
        theirs = torch_stack(nn.TransformerEncoder, nn.TransformerEncoderLayer, final_norm=True, norm_first=norm_first, dtype=dtype)
    else:
        theirs = torch_layer(nn.TransformerEncoderLayer, 16, norm_first=norm_first, dtype=dtype)
    ours, x = kind.from_torch(theirs), torch.randn(2, 5, 16).to(dtype).requires_grad_()
    broken(ours)
    found = ours(x, causal_mask(5) if mask is None else mask)
    assert_like_torch(ours, theirs, found, theirs(x, ~causal_mask(5)), [x])


def compare_decoder(dtype, broken, *, norm_first=False):
    torch.manual_seed(0)
    theirs = torch_stack(nn.TransformerDecoder, nn.TransformerDecoderLayer, final_norm=True, norm_first=norm_first, dtype=dtype)
    ours, inputs = Decoder.from_torch(theirs), [torch.randn(2, rows, 16).to(dtype).requires_grad_() for rows in (4, 5)]
    broken(ours)
    found = ours(*inputs, self_mask=causal_mask(4), cross_mask=padding_mask([5, 3], 5))
    expected = theirs(*inputs, tgt_mask=~causal_mask(4), memory_key_padding_mask=~padding_mask([5, 3], 5)[:, 0])
    assert_like_torch(ours, theirs, found, expected, inputs)


def compare_transformer(dtype, broken):
    torch.manual_seed(0)
    sizes = {"num_encoder_layers": 2, "num_decoder_layers": 2, "dim_feedforward": 10, "dropout": 0.0, "batch_first": True}
    theirs = torch_module(nn.Transformer, 16, 2, dtype=dtype, **sizes)
    ours, inputs = Transformer.from_torch(theirs), [torch.randn(2, rows, 16).to(dtype).requires_grad_() for rows in (5, 4)]
    broken(ours)
    mask = padding_mask([5, 3], 5)
    hidden = {"src_key_padding_mask": ~mask[:, 0], "memory_key_padding_mask": ~mask[:, 0]}
    assert_like_torch(ours, theirs, ours(*inputs, mask), theirs(*inputs, tgt_mask=~causal_mask(4), **hidden), inputs)


def compare_heads(dtype, broken, *, need_weights=False):
    torch.manual_seed(0)
    theirs = torch_module(nn.MultiheadAttention, 12, 3, dtype=dtype, batch_first=True)
    ours, inputs = MultiHeadAttention.from_torch(theirs), [torch.randn(2, rows, 12).to(dtype).requires_grad_() for rows in (4, 5, 5)]
    broken(ours)
    mask = padding_mask([5, 3], 5)
    found = ours(*inputs, mask, need_weights=True)[0] if need_weights else ours(*inputs, mask)
    expected, _ = theirs(*inputs, key_padding_mask=~mask[:, 0])
    assert_like_torch(ours, theirs, found, expected, inputs)


def compare_norm(dtype, broken, *, spread=3.0):
    torch.manual_seed(0)
    theirs = torch_module(nn.LayerNorm, 8, dtype=dtype)
    ours, x = LayerNorm.from_torch(theirs), (spread * (torch.randn(3, 4, 8) + 0.7)).to(dtype).requires_grad_()
    broken(ours)
    assert_like_torch(ours, theirs, ours(x), theirs(x), [x], stretch=stretch_of(x, theirs.eps))


def compare_attention(dtype, ours):
    torch.manual_seed(0)
    inputs = [torch.randn(2, rows, size).to(dtype).requires_grad_() for rows, size in ((4, 6), (5, 6), (5, 3))]
    assert_attention_is_torchs(ours, inputs, torch.randn(2, 4, 3).to(dtype), torch.ones(4, 5, dtype=torch.bool).tril(1))


def compare_softmax(dtype, ours):
    torch.manual_seed(0)
    x, slope = (3 * torch.randn(3, 4)).to(dtype).requires_grad_(), torch.randn(3, 4).to(dtype)
    assert_softmaxes(lambda x: ours(x, 1, 0.5), lambda x: torch.softmax(x / 0.5, 1), x, slope, terms=4, temperature=0.5)


# Mistakes. ---------------------------------------------------------------------------------------------------------------


class Times(nn.Module):
    """In the place of a dropout: what is added comes multiplied."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor, self.p = factor, 0.0

    def forward(self, x):
        return self.factor * x


def last(module, kind):
    return [part for part in module.modules() if isinstance(part, kind)][-1]


def weight(name: str, change: Callable) -> Callable:
    """The last weight whose name ends so, changed in place."""

    def broken(module):
        with torch.no_grad():
            change([part for path, part in module.named_parameters() if path.endswith(name)][-1])

    return broken


def gradient_times(factor: float, name: str) -> Callable:
    """The same values, and on the way back through the last layer of this name another gradient."""

    def broken(module):
        layer = [part for path, part in module.named_modules() if path.endswith(name)][-1]
        layer.register_forward_hook(lambda layer, given, out: out.detach() + factor * (out - out.detach()))

    return broken


def changed(names: tuple[str, ...], change: Callable) -> Callable:
    """What the linear layers of these names give in the last attention, changed: change(rows, n_heads)."""

    def broken(module):
        attention = last(module, MultiHeadAttention)
        for name in names:
            getattr(attention, name).register_forward_hook(lambda layer, given, out: change(out, attention.n_heads))

    return broken


def dealt_in_turn(rows, n_heads):
    """To each head every n_heads-th column, and not a run of them."""
    return rows.unflatten(-1, (-1, n_heads)).mT.flatten(-2)


def norm_with(row: Callable) -> Callable:
    """A last norm that makes row(x, eps) of its rows."""

    def broken(module):
        norm = last(module, LayerNorm)
        norm.forward = lambda x: row(x, norm.eps) * norm.scale + norm.shift

    return broken


def centred(x):
    return x - x.mean(-1, keepdim=True)


def variance(x, correction=0):
    return x.var(-1, correction=correction, keepdim=True)


def nothing(module):
    pass


ATTENDS = {
    "query of the wrong sign": weight("w_q.weight", torch.Tensor.neg_),
    "key of the wrong sign": weight("w_k.weight", torch.Tensor.neg_),
    "query without bias": weight("w_q.bias", torch.Tensor.zero_),
    "value without bias": weight("w_v.bias", torch.Tensor.zero_),
    "output without bias": weight("w_o.bias", torch.Tensor.zero_),
    "scores over the root of d_model": changed(("w_q",), lambda rows, n_heads: rows / n_heads**0.5),
    "heads mixed up": changed(("w_q", "w_k", "w_v"), dealt_in_turn),
    "gradient of the values halved": gradient_times(0.5, "w_v"),
    "gradient of the queries of the wrong sign": gradient_times(-1, "w_q"),
}
LAYERED = {
    **ATTENDS,
    "residual of the wrong sign": lambda module: setattr(module.layers[-1], "dropout", Times(-1)),
    "residual forgotten": lambda module: setattr(module.layers[-1], "dropout", Times(0)),
    "the other order of norms": lambda module: setattr(module.layers[-1], "norm_first", not module.layers[-1].norm_first),
    "norms exchanged": lambda module: [
        setattr(module.layers[-1], name, norm) for name, norm in (("norm_1", module.layers[-1].norm_2), ("norm_2", module.layers[-1].norm_1))
    ],
    "final norm forgotten": lambda module: setattr(module, "norm", None),
    "last layer forgotten": lambda module: setattr(module, "layers", module.layers[:-1]),
    "network without its first bias": weight("w_1.bias", torch.Tensor.zero_),
    "network without its second bias": weight("w_2.bias", torch.Tensor.zero_),
    "norm without shift": weight("shift", torch.Tensor.zero_),
    "unbiased variance": norm_with(lambda x, eps: centred(x) / (variance(x, 1) + eps).sqrt()),
    "gradient of the network of the wrong sign": gradient_times(-1, "w_2"),
    "gradient of the network halved": gradient_times(0.5, "w_1"),
    "gradient of the final norm halved": gradient_times(0.5, "norm"),
}


@both_precisions
@pytest.mark.parametrize("norm_first", [False, True], ids=["norm last", "norm first"])
@pytest.mark.parametrize("mistake", LAYERED.values(), ids=LAYERED)
def test_a_mistake_in_the_encoder_is_refused(mistake, norm_first, dtype):
    compare_encoder(dtype, nothing, norm_first=norm_first)
    with refused():
        compare_encoder(dtype, mistake, norm_first=norm_first)


@both_precisions
@pytest.mark.parametrize("norm_first", [False, True], ids=["norm last", "norm first"])
@pytest.mark.parametrize("mistake", LAYERED.values(), ids=LAYERED)
def test_a_mistake_in_the_decoder_is_refused(mistake, norm_first, dtype):
    compare_decoder(dtype, nothing, norm_first=norm_first)
    with refused():
        compare_decoder(dtype, mistake, norm_first=norm_first)


MASKS = {"one word too far": 1, "not to the word itself": -1}


@both_precisions
@pytest.mark.parametrize("kind", [Encoder, EncoderLayer])
@pytest.mark.parametrize("diagonal", MASKS.values(), ids=MASKS)
def test_a_mask_off_by_one_is_refused(diagonal, kind, dtype):
    compare_encoder(dtype, nothing, kind=kind)
    with refused():
        compare_encoder(dtype, nothing, kind=kind, mask=torch.ones(5, 5, dtype=torch.bool).tril(diagonal))


@both_precisions
@pytest.mark.parametrize("diagonal", MASKS.values(), ids=MASKS)
def test_a_mask_of_the_transformer_off_by_one_is_refused(diagonal, dtype, monkeypatch):
    compare_transformer(dtype, nothing)
    monkeypatch.setattr(decoder, "causal_mask", lambda size: torch.ones(size, size, dtype=torch.bool).tril(diagonal))
    with refused():
        compare_transformer(dtype, nothing)


WIRED = {
    "memory without its final norm": lambda module: module.encoder.norm.register_forward_hook(lambda norm, given, out: given[0]),
    "padding not hidden from the decoder": lambda module: [
        layer.register_forward_pre_hook(lambda layer, given: (*given[:3], None)) for layer in module.decoder.layers
    ],
    "the words attend to themselves, not to the memory": lambda module: module.decoder.layers[0].cross_attention.register_forward_pre_hook(
        lambda layer, given: (given[0], given[0], given[0], None)
    ),
    "cross-attention forgotten": lambda module: module.decoder.layers[0].cross_attention.register_forward_hook(
        lambda layer, given, out: 0 * out
    ),
    "no gradient through the memory": lambda module: module.decoder.register_forward_pre_hook(
        lambda layer, given: (given[0], given[1].detach() + 0 * given[1], *given[2:])
    ),
}


@both_precisions
@pytest.mark.parametrize("mistake", WIRED.values(), ids=WIRED)
def test_a_mistake_between_encoder_and_decoder_is_refused(mistake, dtype):
    with refused():
        compare_transformer(dtype, mistake)


@both_precisions
@pytest.mark.parametrize("mistake", ATTENDS.values(), ids=ATTENDS)
def test_a_mistake_in_multi_head_attention_is_refused(mistake, dtype):
    compare_heads(dtype, nothing)
    with refused():
        compare_heads(dtype, mistake)


@both_precisions
def test_heads_mixed_up_in_the_path_with_weights_are_refused(dtype, monkeypatch):
    compare_heads(dtype, nothing, need_weights=True)
    monkeypatch.setattr(multi_head_attention, "split_heads", lambda x, n_heads: x.unflatten(-1, (-1, n_heads)).movedim(-1, -3))
    with refused():
        compare_heads(dtype, nothing, need_weights=True)


def detached_deviation(x, eps):
    return centred(x) * (variance(x) + eps).rsqrt().detach()


NORMS = {  # eps shows where the rows are so quiet that it is as large as their variance
    "eps outside the root": (norm_with(lambda x, eps: centred(x) / (variance(x).sqrt() + eps)), 0.003),
    "eps forgotten": (norm_with(lambda x, eps: centred(x) / variance(x).sqrt()), 0.003),
    "eps of 1e-6": (lambda norm: setattr(norm, "eps", 1e-6), 0.003),
    "eps of 1e-5 and a tenth": (lambda norm: setattr(norm, "eps", 1.1e-5), 0.003),
    "unbiased variance": (norm_with(lambda x, eps: centred(x) / (variance(x, 1) + eps).sqrt()), 3.0),
    "unbiased variance of quiet rows": (norm_with(lambda x, eps: centred(x) / (variance(x, 1) + eps).sqrt()), 0.003),
    "variance in place of its root": (norm_with(lambda x, eps: centred(x) / (variance(x) + eps)), 3.0),
    "mean not taken off": (norm_with(lambda x, eps: x / (variance(x) + eps).sqrt()), 3.0),
    "root of the mean square": (norm_with(lambda x, eps: x / (x.square().mean(-1, keepdim=True) + eps).sqrt()), 3.0),
    "shift forgotten": (weight("shift", torch.Tensor.zero_), 3.0),
    "scale forgotten": (weight("scale", lambda part: part.fill_(1)), 3.0),
    "no gradient through the deviation": (norm_with(detached_deviation), 3.0),
    "no gradient through the mean": (norm_with(lambda x, eps: (x - x.mean(-1, keepdim=True).detach()) * (variance(x) + eps).rsqrt()), 3.0),
    "gradient halved": (gradient_times(0.5, ""), 3.0),
    "gradient of the wrong sign": (gradient_times(-1, ""), 0.003),
}


@both_precisions
@pytest.mark.parametrize(("mistake", "spread"), NORMS.values(), ids=NORMS)
def test_a_mistake_in_a_norm_is_refused(mistake, spread, dtype):
    compare_norm(dtype, nothing, spread=spread)
    with refused():
        compare_norm(dtype, mistake, spread=spread)


def attend(q, k, v, mask, *, root=None, over=-1, low=-math.inf, sign=1.0, late=False):
    """Attention written out, with places for mistakes."""
    scores = sign * q @ k.mT / (root or q.shape[-1] ** 0.5)
    weights = (scores if late else scores.masked_fill(~mask, low)).softmax(over)
    return (weights * mask if late else weights) @ v


ATTENTIONS = {
    "scores not divided": {"root": 1.0},
    "scores over d_k": {"root": 6.0},
    "scores over the root of the keys": {"root": 5**0.5},
    "scores of the wrong sign": {"sign": -1.0},
    "softmax over the queries": {"over": -2},
    "a score of 0 for what is hidden": {"low": 0.0},
    "a score of -6 for what is hidden": {"low": -6.0},
    "the mask after the softmax": {"late": True},
}


@both_precisions
@pytest.mark.parametrize("options", ATTENTIONS.values(), ids=ATTENTIONS)
def test_a_mistake_in_attention_is_refused(options, dtype):
    compare_attention(dtype, attend)
    with refused():
        compare_attention(dtype, lambda *given: attend(*given, **options))


@pytest.mark.parametrize("name", ["scores not divided", "scores of the wrong sign", "softmax over the queries", "the mask after the softmax"])
def test_in_bfloat16_which_has_hardly_three_digits_only_what_is_far_off_is_refused(name):
    compare_attention(torch.bfloat16, attend)
    with pytest.raises(TooFarError):
        compare_attention(torch.bfloat16, lambda *given: attend(*given, **ATTENTIONS[name]))


@both_precisions
@pytest.mark.parametrize("diagonal", [0, 2])
def test_a_mask_of_attention_off_by_one_is_refused(diagonal, dtype):
    with refused():
        compare_attention(dtype, lambda q, k, v, mask: attend(q, k, v, torch.ones_like(mask).tril(diagonal)))


SOFTMAXES = {
    "powers of 2": lambda x, dim, temperature: softmax(x * math.log(2), dim, temperature),
    "temperature multiplied": lambda x, dim, temperature: softmax(x, dim, 1 / temperature),
    "temperature forgotten": lambda x, dim, temperature: softmax(x, dim),
    "the other axis": lambda x, dim, temperature: softmax(x, 1 - dim, temperature),
    "scores of the wrong sign": lambda x, dim, temperature: softmax(-x, dim, temperature),
    "no gradient through the sum": lambda x, dim, temperature: (x / temperature).exp() / (x / temperature).exp().sum(dim, True).detach(),
}


@both_precisions
@pytest.mark.parametrize("mistake", SOFTMAXES.values(), ids=SOFTMAXES)
def test_a_mistake_in_softmax_is_refused(mistake, dtype):
    compare_softmax(dtype, softmax)
    with refused():
        compare_softmax(dtype, mistake)


def table(positions, d_model, exponent, even=torch.sin, odd=torch.cos, dtype=torch.float64):
    """The table, in one dtype throughout, with places for mistakes."""
    places = torch.tensor(positions, dtype=dtype)[:, None]
    columns = [even if column % 2 == 0 else odd for column in range(d_model)]
    return torch.cat([wave(places / 10000 ** exponent(column)) for column, wave in enumerate(columns)], dim=1)


def pair(column):
    return 2 * (column // 2) / 16


ENCODINGS = {
    "sine for cosine": (pair, {"odd": torch.sin}),
    "sine and cosine exchanged": (pair, {"even": torch.cos, "odd": torch.sin}),
    "sine of the wrong sign": (pair, {"even": lambda x: -x.sin()}),
    "exponent 2i + 1": (lambda column: pair(column) + 1 / 16, {}),
    "exponent of the column": (lambda column: column / 16, {}),
    "exponent of the column, not of the pair, twice": (lambda column: 2 * column / 16, {}),
    "angles in float32": (pair, {"dtype": torch.float32}),
}
FAR = [7, 1000, 999_999]


@both_precisions
@pytest.mark.parametrize(("exponent", "options"), ENCODINGS.values(), ids=ENCODINGS)
def test_a_mistake_in_the_table_of_positions_is_refused(exponent, options, dtype):
    exact = reference(FAR, 16)

    def compare(found):
        if dtype == torch.float32:
            assert_exact(found.float(), exact)
        else:
            assert_close(found.double(), exact, terms=2, scale=max(FAR))

    compare(table(FAR, 16, pair))
    compare(encode_positions(FAR, 16, dtype=dtype))
    compare(positional_encoding(1_000_000, 16, dtype=dtype)[FAR])
    with refused():
        compare(table(FAR, 16, exponent, **options))


@both_precisions
@pytest.mark.parametrize(
    "mistake",
    [
        lambda whole, ids, slope: whole.index_copy(0, ids[1:], slope[1:]),
        lambda whole, ids, slope: whole.index_add(0, ids, -slope),
        lambda whole, ids, slope: whole.index_add(0, ids, slope) / 2,
        lambda whole, ids, slope: whole.index_add(0, ids - 1, slope),
    ],
    ids=["one visit of many", "wrong sign", "half", "the row before"],
)
def test_a_mistake_in_the_gradient_of_an_embedding_is_refused(mistake, dtype):
    torch.manual_seed(0)
    ours, theirs = TokenEmbedding(6, 4).to(dtype), nn.Embedding(6, 4).to(dtype)
    ids, slope = torch.tensor([2, 1, 2, 5, 2]), torch.randn(5, 4).to(dtype)
    for lookup in (ours, theirs):
        (lookup(ids) * slope).sum().backward()
    assert_same_gradient(ours.weight, theirs.weight, ids, slope)
    ours.weight.grad = mistake(torch.zeros_like(ours.weight), ids, slope)
    with refused():
        assert_same_gradient(ours.weight, theirs.weight, ids, slope)


# What is no mistake. -----------------------------------------------------------------------------------------------------


def in_another_order(module):
    """Every sum of our linear layers, attentions and norms one term after the other, in an order drawn by chance."""

    def linear(layer):
        def forward(x):
            total = 0 if layer.bias is None else layer.bias
            for at in torch.randperm(layer.in_features).tolist():
                total = total + x[..., at : at + 1] * layer.weight[:, at]
            return total

        return forward

    def attention(layer):
        plain = layer.forward

        def forward(query, key, value, mask=None):
            order = torch.randperm(key.shape[-2])
            mask = None if mask is None else mask.expand(*mask.shape[:-1], len(order))[..., order]
            return plain(query, key[..., order, :], value[..., order, :], mask, need_weights=True)[0]

        return forward

    def norm(layer):
        def mean(x):
            return x[..., torch.randperm(x.shape[-1])].cumsum(-1)[..., -1:] / x.shape[-1]

        def forward(x):
            off = x - mean(x)
            row = off / (mean(off * off) + layer.eps).sqrt() * layer.scale
            return row if layer.shift is None else row + layer.shift

        return forward

    for part in module.modules():
        if isinstance(part, nn.Linear):
            part.forward = linear(part)
        elif isinstance(part, LayerNorm):
            part.forward = norm(part)
        elif isinstance(part, MultiHeadAttention):
            part.forward = attention(part)


ORDERS = {
    "encoder": compare_encoder,
    "encoder, norm first": lambda dtype, broken: compare_encoder(dtype, broken, norm_first=True),
    "encoder layer": lambda dtype, broken: compare_encoder(dtype, broken, kind=EncoderLayer),
    "decoder": compare_decoder,
    "decoder, norm first": lambda dtype, broken: compare_decoder(dtype, broken, norm_first=True),
    "transformer": compare_transformer,
    "heads": compare_heads,
    "norm": compare_norm,
    "norm of quiet rows": lambda dtype, broken: compare_norm(dtype, broken, spread=0.003),
}


@both_precisions
@pytest.mark.parametrize("compare", ORDERS.values(), ids=ORDERS)
def test_sums_in_any_other_order_pass(compare, dtype):
    for seed in range(5):

        def reordered(module, seed=seed):
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                in_another_order(module)

        compare(dtype, reordered)


@both_precisions
def test_attention_and_softmax_by_another_road_pass(dtype):
    compare_attention(dtype, lambda q, k, v, mask: attend(q.flip(-1), k.flip(-1), v, mask))
    compare_attention(dtype, lambda q, k, v, mask: (q @ k.mT / 6**0.5 + mask.to(q.dtype).log()).log_softmax(-1).exp() @ v)
    compare_softmax(dtype, lambda x, dim, temperature: (x / temperature - (x / temperature).logsumexp(dim, True)).exp())


@both_precisions
def test_a_long_sum_passes_in_any_order_and_not_without_one_of_its_terms(dtype):
    terms = torch.rand(100_000, generator=torch.manual_seed(0)).to(dtype)
    one_after_the_other = terms.cumsum(0)[-1]
    assert_close(one_after_the_other, terms.sum(), terms=len(terms))
    assert_close(terms.flip(0).sum(), terms.sum(), terms=len(terms))
    if dtype == torch.float64:  # in float32 the rounding of so long a sum is about as large as one of its terms
        with refused():
            assert_close(terms[1:].sum(), terms.sum(), terms=len(terms))


# The formula. ------------------------------------------------------------------------------------------------------------


def test_a_gradient_near_0_is_measured_by_what_cancelled():
    """Where a query hears one key alone, its gradient is 0: the sum of two large terms, of which rounding is left."""
    found = {"w_q": torch.full((2, 2), 3e-6), "w_v": torch.tensor([23.0])}
    expected = {"w_q": torch.zeros(2, 2), "w_v": torch.tensor([23.0])}
    assert_close(found, expected, terms=8)
    with refused():
        assert_close(found["w_q"], expected["w_q"], terms=8)
    with refused():
        assert_close({**found, "w_q": torch.full((2, 2), 3e-3)}, expected, terms=8)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("magnitude", [1e-3, 1.0, 1e3])
def test_what_is_allowed_follows_dtype_size_and_magnitude(dtype, magnitude):
    expected = torch.full((3,), magnitude, dtype=dtype)
    one_unit = torch.finfo(dtype).eps
    assert_close(expected.double() * (1 + 3 * one_unit), expected)
    for terms, off, right in ((1, 5, False), (4, 5, True), (4, 10, False), (100, 35, True), (100, 45, False)):
        found = expected.double() * (1 + off * one_unit)
        if right:
            assert_close(found, expected, terms=terms)
        else:
            with pytest.raises(TooFarError):
                assert_close(found, expected, terms=terms)
    assert_close(found, expected, terms=100, scale=2 * magnitude)


def test_what_is_expected_to_be_0_is_0_where_nothing_was_added_up():
    assert_close(torch.zeros(2), torch.zeros(2))
    with pytest.raises(TooFarError):
        assert_close(torch.tensor([0.0, 1e-30]), torch.zeros(2))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (torch.tensor([1.0, math.nan]), torch.tensor([1.0, 2.0])),
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, math.nan])),
        (torch.tensor([1.0, math.inf]), torch.tensor([1.0, -math.inf])),
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, math.inf])),
    ],
)
def test_what_is_no_number_stands_only_where_it_is_expected(found, expected):
    assert_close(found, found.clone())
    with refused():
        assert_close(found, expected)


def test_other_shapes_and_names_are_refused():
    with pytest.raises(AssertionError, match=r"found has the shape \(2,\) instead of \(1, 2\)"):
        assert_close(torch.ones(2), torch.ones(1, 2))
    with pytest.raises(AssertionError, match="instead of"):
        assert_close({"w_q": 1.0}, {"w_k": 1.0})


def test_the_message_says_where_how_far_and_how_much_is_rounding():
    found, expected = {"w_q": torch.tensor([[1.0, 2.0], [3.0, 4.5]])}, {"w_q": torch.tensor([[1.0, 2.0], [3.0, 4.0]])}
    said = (
        r"layer 2 w_q\[1, 1\] is 4.5 instead of 4, 0.5 apart: 1.31e\+05 times 3.8e-06, what rounding may make: 4 \* eps of torch.float32 "
        r"\* sqrt\(4 terms\) \* 4"
    )
    with pytest.raises(TooFarError, match=said):
        assert_close(found, expected, terms=4, case="layer 2")


def test_the_largest_number_is_found_in_lists_and_dicts():
    assert largest(torch.tensor([1.0, -3.0]), {"a": [torch.tensor(2.0), -2.5]}, 1) == 3
    assert largest(torch.zeros(0), [], {}) == 0
    assert largest(torch.tensor([1.0, math.inf, math.nan])) == 1
