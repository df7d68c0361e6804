const legalForms = new Set(
  "ab ag bv co corp corporation company gmbh inc incorporated kabushiki kaisha kk limited llc ltd nv oy plc pte sa sarl spa".split(
    " ",
  ),
);

/** Normalizes a name to its distinctive words, without accents, case, punctuation, legal forms and order. */
export function nameWords(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    // "K.K." becomes "KK", and "S.A.R.L." becomes one word.
    .replace(/[.'’]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const telling = words.filter((word) => !legalForms.has(word));
  // A company may be called "Limited", and an empty name would be similar to every name.
  return (telling.length > 0 ? telling : words).toSorted().join(" ");
}

/** The similarity of two names from 0 to 1: the share of the longer name that need not change to give the other. */
export function nameSimilarity(left: string, right: string): number {
  const [a, b] = [[...nameWords(left)], [...nameWords(right)]];
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 0 : 1 - editDistance(a, b) / longest;
}

/** Levenshtein distance in code points. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, one] of a.entries()) {
    const current = [row + 1];
    for (const [column, other] of b.entries()) {
      const replaced = (above[column] ?? 0) + (one === other ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
