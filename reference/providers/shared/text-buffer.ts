// Joins the pieces of a streamed text so that memory holds the text and not its pieces.

/** How much text may hang together as pieces, a power of two. */
const LOOSE = 2 ** 14;
const empty = /^$/;

/**
 * `text + piece`. An engine joins lazily: it keeps every piece until somebody looks into the whole. So this looks each time the
 * text has grown by so much; it is a regular expression that looks, as an optimiser may leave out other ways.
 */
export function appendText(text: string, piece: string): string {
  const whole = text + piece;
  if (whole.length - (text.length & -LOOSE) >= LOOSE) empty.test(whole);
  return whole;
}
