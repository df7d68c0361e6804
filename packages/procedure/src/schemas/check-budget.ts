/**
 * How many steps one check of a value against a schema may take. A step is the application of a schema to a value, an item
 * or a member of it, or work of that size: about 10 nanoseconds. Ordinary checks take a few hundred.
 */
export const maxCheckSteps = 10_000_000;
/** A violation takes an object and its place in lists, whether or not it is dropped for another alternative. */
export const violationSteps = 20;
/** Where all violations are looked for: beyond this only the first is, since a caller reads a hundred. */
export const maxViolationsFound = 4_000;

/** A check took more than {@link maxCheckSteps}, or met more violations than it was to find. */
export class CheckBudgetError extends Error {
  override readonly name = "CheckBudgetError";
  readonly spent: "steps" | "violations";

  constructor(spent: "steps" | "violations") {
    super(`The ${spent} of one check are spent.`);
    this.spent = spent;
  }
}

/**
 * What the check that is being made may still take. Checks are synchronous, so one budget serves all checks of a schema;
 * code that is made from the schema spends it, too.
 */
export class CheckBudget {
  /** Whole numbers only: the engine adds them several times as fast. */
  left = 0;
  violationsLeft = 0;
  #lastKeys: { readonly of: object; readonly steps: number } | undefined;
  readonly #tokens = new Map<string, string>();

  begin(): void {
    this.left = maxCheckSteps;
    this.#forget();
  }

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) this.end();
  }

  spendViolation(): void {
    this.left -= violationSteps;
    this.violationsLeft -= 1;
    if (this.left < 0 || this.violationsLeft < 0) this.end();
  }

  end(): never {
    this.#forget();
    throw new CheckBudgetError(this.left < 0 ? "steps" : "violations");
  }

  /** A name as it stands in the paths of all violations and references below it, escaped once. */
  pointerToken(name: string): string {
    if (name.length < 32 && !/[~/]/.test(name)) return name;
    const known = this.#tokens.get(name);
    if (known !== undefined) return known;
    this.spend(stepsPerEscaped * name.length);
    const token = name.replace(/~/g, "~0").replace(/\//g, "~1");
    this.#tokens.set(name, token);
    return token;
  }

  /** No part of a value is kept in memory. */
  #forget(): void {
    this.#lastKeys = undefined;
    this.#tokens.clear();
  }

  /** Steps to go through the names of an object once; each stands in a path, so it counts by its length. */
  stepsOfKeys(value: unknown): number {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return 0;
    if (this.#lastKeys?.of === value) return this.#lastKeys.steps;
    let steps = 0;
    for (const key in value) steps += stepsPerKey + (key.length >>> 4);
    this.#lastKeys = { of: value, steps };
    return steps;
  }
}

/** An object with very many names takes 200 nanoseconds for each. */
const stepsPerKey = 20;
const stepsPerEscaped = 5;
