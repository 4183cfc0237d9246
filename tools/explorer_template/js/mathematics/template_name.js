/** The numbers that the explorer "template name" shows. */

/** The squares of the numbers from 0 below `count`. @param {number} count */
export const squares = (count) => Array.from({ length: count }, (_, number) => number ** 2);
