/* The words of a plain reading. */

const comparisons = {
  "<": "is less than",
  "<=": "is at most",
  ">": "is greater than",
  ">=": "is at least",
} as const;

export function comparisonWord(operator: keyof typeof comparisons): string {
  return comparisons[operator];
}

const methods: Readonly<Partial<Record<string, readonly [word: string, negated: string]>>> = {
  startsWith: ["begins with", "does not begin with"],
  endsWith: ["ends with", "does not end with"],
  contains: ["contains", "does not contain"],
  matches: ["fits the pattern", "does not fit the pattern"],
};

export function methodWord(name: string): string | undefined {
  return Object.hasOwn(methods, name) ? methods[name]?.[0] : undefined;
}

export function negatedWord(name: string): string | undefined {
  return Object.hasOwn(methods, name) ? methods[name]?.[1] : undefined;
}

/** Digits in groups of three. Every digit stays. */
export function readNumber(digits: string): string {
  const [, whole = digits, rest = ""] = /^(-?\d+)(\.\d+)?$/.exec(digits) ?? [];
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, ",") + rest;
}
