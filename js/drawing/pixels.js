/** Numbers as a picture needs them. */

/** To tenths of a pixel, which are written faster than fractions. @param {number} pixels */
export const toTenths = (pixels) => Math.round(pixels * 10) / 10;

/** The nearest number from `least` to `most`. @param {number} value @param {number} least @param {number} most */
export const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
