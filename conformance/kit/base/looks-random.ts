// Tells what was made by chance, as keys are, from words, paths and the names of things.

/** What people write where a secret would stand. */
const placeholder =
  /(?:^|[-_.])(?:your|my|the|test|fake|dummy|example|sample|placeholder|changeme|redacted|secret|token|key|env|os|process|config|self|settings)(?:$|[-_.])|x{4,}|\*{3,}|\.{3}|…/i;

/** Whether a text is rather a secret than a word, a path or the name of something. */
export function looksRandom(text: string): boolean {
  if (placeholder.test(text) || new Set(text).size < Math.min(6, text.length / 2)) return false;
  const digits = count(text, /[0-9]/g);
  const letters = count(text, /[A-Za-z]/g);
  if (letters === 0) return text.length >= 16 && digits > 0;
  if (digits / text.length > 0.04) return !/^[a-z]+[-_.]?[0-9]{1,4}$/i.test(text);
  // Words begin with capitals at most; in what is made by chance about half of the letters are.
  const capitals = count(text, /[A-Z]/g) / letters;
  return text.length >= 12 && capitals > 0.25 && capitals < 0.75 && count(text, /[a-z][A-Z]/g) >= 2;
}

function count(text: string, shape: RegExp): number {
  return text.match(shape)?.length ?? 0;
}
