/** What the accuracies of several seeds come to, as `transformer_book.explorers.lengths` computes it; the tests compare the two. */

/** The mean, the least and the largest of the per milles, in percent. @param {number[]} perMilles */
export function summary(perMilles) {
  const mean = perMilles.reduce((sum, value) => sum + value, 0) / perMilles.length / 10;
  return { mean, least: Math.min(...perMilles) / 10, most: Math.max(...perMilles) / 10 };
}
