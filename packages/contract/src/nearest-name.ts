/** A hint for a name that does not exist: the known name that is at most two typing mistakes away, else some known names. */
export function nearestName(name: string, known: readonly string[]): string {
  const near = meantName(name, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (known.length === 0) return "there are none";
  const shown = known.slice(0, 8).map((candidate) => `"${candidate}"`);
  return `known are ${shown.join(", ")}${known.length > shown.length ? " and others" : ""}`;
}

/** More names than a large API has operations. */
const maxCandidates = 10_000;

/** The known name that is at most two typing mistakes away. */
export function meantName(name: string, known: readonly string[]): string | undefined {
  return known
    .slice(0, maxCandidates)
    .map((candidate) => ({ candidate, mistakes: typingMistakes(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ mistakes }) => mistakes <= Math.min(2, Math.max(1, Math.floor(name.length / 3))))
    .sort((a, b) => a.mistakes - b.mistakes)[0]?.candidate;
}

/** Inserted, left out and changed characters, and two that changed places (optimal string alignment); 3 for more than two. */
function typingMistakes(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > 64) return 3;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + same);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) least = Math.min(least, at(beforeLast, column - 2) + 1);
      current.push(least);
    }
    // Neither this row nor the one before leads to less.
    if (Math.min(...current) > 2 && Math.min(...last) > 2) return 3;
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
