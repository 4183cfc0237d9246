/** What the accuracies of several seeds come to, as `transformer_book.explorers.lengths` computes it; the tests compare the two. */

/** The mean, the least and the largest in percent. @param {number[]} hundredths of a percent */
export function summary(hundredths) {
  const mean = hundredths.reduce((sum, value) => sum + value, 0) / hundredths.length / 100;
  return { mean, least: Math.min(...hundredths) / 100, most: Math.max(...hundredths) / 100 };
}
