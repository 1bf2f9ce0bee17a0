// Distinguishes texts by a short digest, the same on every machine and in every run.

/**
 * A digest of 64 bits in base 36. It distinguishes what is equal from what is not, and hides nothing: whoever wants two texts with the
 * same digest finds them.
 */
export function digest(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other + unit, 0x85ebca6b);
    other ^= other >>> 15;
  }
  return (one >>> 0).toString(36).padStart(7, "0") + (other >>> 0).toString(36).padStart(7, "0");
}
