/**
 * The sinusoidal table, as `transformer_book.positional_encoding` defines it; the tests hold both to the same values.
 */

/**
 * The divisor of the position in a column: base^(2i / dModel), shared by the two columns of pair i.
 * @param {number} pair @param {number} dModel @param {number} base
 */
export function denominator(pair, dModel, base) {
  return base ** ((2 * pair) / dModel);
}

/**
 * @typedef {"interleaved" | "halves"} Arrangement
 * interleaved: sin, cos, sin, cos, ...; halves: all sines, then all cosines.
 */

/**
 * What a column holds: the pair it belongs to and which of the two functions.
 * @param {number} column @param {number} dModel @param {Arrangement} arrangement
 */
export function describeColumn(column, dModel, arrangement) {
  const half = dModel / 2;
  return arrangement === "interleaved"
    ? { pair: column >> 1, cosine: column % 2 === 1 }
    : { pair: column % half, cosine: column >= half };
}

/**
 * One number of the table.
 * @param {number} position @param {number} column @param {number} dModel @param {number} base
 * @param {Arrangement} [arrangement]
 */
export function encodingValue(position, column, dModel, base, arrangement = "interleaved") {
  const { pair, cosine } = describeColumn(column, dModel, arrangement);
  const angle = position / denominator(pair, dModel, base);
  return cosine ? Math.cos(angle) : Math.sin(angle);
}

/**
 * The whole table, row by row. Each row is the one before, every pair turned by its own angle: four products instead
 * of a sine and a cosine, and after 128 rows still exact to 1e-13.
 * @param {number} seqLen @param {number} dModel @param {number} base @param {Arrangement} [arrangement]
 * @returns {Float64Array} seqLen * dModel numbers
 */
export function positionalEncoding(seqLen, dModel, base, arrangement = "interleaved") {
  const table = new Float64Array(seqLen * dModel);
  const half = dModel / 2;
  const [step, other] = arrangement === "interleaved" ? [2, 1] : [1, half];
  for (let pair = 0; pair < half; pair += 1) {
    const angle = 1 / denominator(pair, dModel, base);
    const [sinStep, cosStep] = [Math.sin(angle), Math.cos(angle)];
    let sin = 0;
    let cos = 1;
    for (let row = 0, at = pair * step; row < seqLen; row += 1, at += dModel) {
      table[at] = sin;
      table[at + other] = cos;
      [sin, cos] = [sin * cosStep + cos * sinStep, cos * cosStep - sin * sinStep];
    }
  }
  return table;
}
