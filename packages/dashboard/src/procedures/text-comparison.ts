/* Two texts side by side, with equal lines beside each other. */

export interface ComparedLine {
  /** Line number from 1. */
  readonly number: number;
  readonly text: string;
}

export interface ComparedRow {
  readonly left?: ComparedLine | undefined;
  readonly right?: ComparedLine | undefined;
  readonly isEqual: boolean;
}

/** More lines than this between the equal beginning and the equal end are not compared one by one. */
const mostCompared = 1_500;

export function compareTexts(left: string, right: string): readonly ComparedRow[] {
  const [a, b] = [left.split("\n"), right.split("\n")];
  const shorter = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < shorter && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const equal = (i: number, j: number): ComparedRow => ({ left: lineAt(a, i), right: lineAt(b, j), isEqual: true });
  return [
    ...Array.from({ length: begin }, (_, index) => equal(index, index)),
    ...between(a, b, begin, end),
    ...Array.from({ length: end }, (_, index) => equal(a.length - end + index, b.length - end + index)),
  ];
}

function lineAt(lines: readonly string[], index: number): ComparedLine {
  return { number: index + 1, text: lines[index] ?? "" };
}

/** By the longest common subsequence. Removed and added lines between two equal ones stand beside each other. */
function between(a: readonly string[], b: readonly string[], begin: number, end: number): readonly ComparedRow[] {
  const [n, m] = [a.length - begin - end, b.length - begin - end];
  const isCompared = n <= mostCompared && m <= mostCompared;
  const width = m + 1;
  const lengths = new Uint16Array(isCompared ? (n + 1) * width : 0);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  if (isCompared) {
    for (let i = n - 1; i >= 0; i--) {
      for (let j = m - 1; j >= 0; j--) {
        const isEqual = a[begin + i] === b[begin + j];
        lengths[i * width + j] = isEqual
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
      }
    }
  }
  const rows: ComparedRow[] = [];
  let [removed, added]: [number[], number[]] = [[], []];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      const [l, r] = [removed[index], added[index]];
      rows.push({
        left: l === undefined ? undefined : lineAt(a, l),
        right: r === undefined ? undefined : lineAt(b, r),
        isEqual: false,
      });
    }
    [removed, added] = [[], []];
  };
  for (let i = 0, j = 0; i < n || j < m;) {
    if (isCompared && i < n && j < m && a[begin + i] === b[begin + j]) {
      flush();
      rows.push({ left: lineAt(a, begin + i++), right: lineAt(b, begin + j++), isEqual: true });
    } else if (j >= m || (i < n && lengthAt(i + 1, j) >= lengthAt(i, j + 1))) removed.push(begin + i++);
    else added.push(begin + j++);
  }
  flush();
  return rows;
}

export type ComparedPart =
  | { readonly kind: "row"; readonly row: ComparedRow }
  /** Equal lines that are far from any difference. */
  | { readonly kind: "gap"; readonly count: number };

const context = 3;

/** The rows with differences and the lines around them; gaps for the others. */
export function withoutEqualParts(rows: readonly ComparedRow[]): readonly ComparedPart[] {
  const near = new Set<number>();
  rows.forEach(({ isEqual }, index) => {
    if (isEqual) return;
    for (let at = index - context; at <= index + context; at++) near.add(at);
  });
  const parts: ComparedPart[] = [];
  let count = 0;
  const gap = (): void => {
    if (count > 0) parts.push({ kind: "gap", count });
    count = 0;
  };
  rows.forEach((row, index) => {
    if (!near.has(index)) count += 1;
    else {
      gap();
      parts.push({ kind: "row", row });
    }
  });
  gap();
  return parts;
}
