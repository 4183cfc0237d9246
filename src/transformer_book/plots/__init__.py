"""Pictures of tensors in seaborn's style: every option by keyword, `ax=None` in, the Axes out (a picture of several panels
makes its own and gives an array of them)."""
from transformer_book.plots.activations import bars, hinge, shares
from transformer_book.plots.attention import attention_walk, attention_weights, over_sizes
from transformer_book.plots.decoder import crossings, training, visible
from transformer_book.plots.encoder import layer_orders, number_lines, through_layers
from transformer_book.plots.heads import dealt, heads, trials
from transformer_book.plots.lines import curves, errors, lanes, row, similarities, waves
from transformer_book.plots.matrices import heatmap, lookup, stacked
from transformer_book.plots.style import (
    COSINE,
    DIVERGING,
    INK,
    ON_COLOUR,
    PAPER,
    SINE,
    figure_to_svg,
    relative_luminance,
    style,
    use_style,
)
from transformer_book.plots.words import corners, fits, word_map
