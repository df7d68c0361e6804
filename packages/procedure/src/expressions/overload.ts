import type { ExactNumber } from "../numbers/exact-number.ts";
import type { Decimal } from "./decimal.ts";
import type { Frame } from "./frame.ts";
import { dyn, mayBe } from "./static-type.ts";
import type { StaticType } from "./static-type.ts";
import type { Duration, Timestamp } from "./time.ts";
import { kindOf } from "./value.ts";
import type { Value, ValueObject } from "./value.ts";

interface ValueOfKind {
  any: Value;
  null: null;
  bool: boolean;
  number: number;
  /** A number beyond a double. Its static type is number. */
  exact: ExactNumber;
  string: string;
  decimal: Decimal;
  timestamp: Timestamp;
  duration: Duration;
  list: readonly Value[];
  object: ValueObject;
}

export type Parameter = keyof ValueOfKind;

/** One signature of a function, for arguments of these kinds. A method's receiver is its first argument. */
export interface Overload {
  readonly parameters: readonly Parameter[];
  readonly returns: (argumentTypes: readonly StaticType[]) => StaticType;
  readonly call: (frame: Frame, ...args: Value[]) => Value;
}

/** A literal value in the document. */
export type Literal = string | number | boolean | null;

export interface FunctionDeclaration {
  /** The call syntax: `size(x)`, `x.size()`, or either. */
  readonly style: "function" | "method" | "either";
  /**
   * Checks literal arguments, so that a mistake is found when a version is published. Other arguments are `undefined`.
   * A method's receiver is the first. Throws `EvaluationFailure`.
   */
  readonly checkLiterals?: (literals: readonly (Literal | undefined)[]) => void;
  readonly overloads: readonly Overload[];
}

type Values<P extends readonly Parameter[]> = { [Index in keyof P]: ValueOfKind[P[Index]] };

/** Declares an overload. Its arguments are checked against `parameters` before each call. */
export function overload<const P extends readonly Parameter[]>(
  parameters: P,
  returns: StaticType | ((argumentTypes: readonly StaticType[]) => StaticType),
  call: (frame: Frame, ...args: Values<P>) => Value,
): Overload {
  return {
    parameters,
    returns: typeof returns === "function" ? returns : () => returns,
    // `fits` has checked the arguments; the type of a list of overloads cannot express that.
    call: call as unknown as Overload["call"],
  };
}

/** Whether arguments of these types may fit at run time. */
export function mayFit({ parameters }: Overload, types: readonly StaticType[]): boolean {
  return (
    parameters.length === types.length &&
    parameters.every(
      (parameter, index) =>
        parameter === "any" || mayBe(types[index] ?? dyn, parameter === "exact" ? "number" : parameter),
    )
  );
}

/** Whether these arguments fit. */
export function fits({ parameters }: Overload, args: readonly Value[]): boolean {
  return (
    parameters.length === args.length &&
    parameters.every((parameter, index) => parameter === "any" || parameter === kindOf(args[index]))
  );
}
