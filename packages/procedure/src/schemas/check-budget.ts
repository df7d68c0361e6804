import { escapePointerToken } from "@procedo/contract/syntax";

/**
 * Maximum number of steps for one check of a value against a schema. A step is the application of a schema to a value,
 * an item or a member, or work of that size: about 10 nanoseconds. Ordinary checks take a few hundred.
 */
export const maxCheckSteps = 10_000_000;
/** Cost of a violation: an object and its entries in lists, even if it is dropped for another alternative. */
export const violationSteps = 20;
/**
 * Maximum number of violations in a search for all of them. Beyond it only the first is reported, because a caller
 * reads at most a hundred.
 */
export const maxViolationsFound = 4_000;

/** A check took more than {@link maxCheckSteps}, or found more violations than allowed. */
export class CheckBudgetError extends Error {
  override readonly name = "CheckBudgetError";
  readonly spent: "steps" | "violations";

  constructor(spent: "steps" | "violations") {
    super(`One check used up its ${spent}.`);
    this.spent = spent;
  }
}

/**
 * The remaining budget of the current check. Checks are synchronous, so one budget serves all checks of a schema,
 * including the code that is generated from it.
 */
export class CheckBudget {
  /** Only whole numbers, because the engine adds them several times as fast. */
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

  /** A name as it appears in the paths of all violations and references below it, escaped once. */
  pointerToken(name: string): string {
    if (name.length < 32 && !/[~/]/.test(name)) return name;
    const known = this.#tokens.get(name);
    if (known !== undefined) return known;
    this.spend(stepsPerEscaped * name.length);
    const token = escapePointerToken(name);
    this.#tokens.set(name, token);
    return token;
  }

  /** Discards every part of a value, so that none stays in memory. */
  #forget(): void {
    this.#lastKeys = undefined;
    this.#tokens.clear();
  }

  /** Steps for one pass over the names of an object. A name is part of a path, so it counts by its length. */
  stepsOfKeys(value: unknown): number {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return 0;
    if (this.#lastKeys?.of === value) return this.#lastKeys.steps;
    let steps = 0;
    for (const key in value) steps += stepsPerKey + (key.length >>> 4);
    this.#lastKeys = { of: value, steps };
    return steps;
  }
}

/** An object with very many names takes 200 nanoseconds per name. */
const stepsPerKey = 20;
const stepsPerEscaped = 5;
