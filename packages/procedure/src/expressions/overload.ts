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
  /** A number beyond a double. Its type is that of numbers. */
  exact: ExactNumber;
  string: string;
  decimal: Decimal;
  timestamp: Timestamp;
  duration: Duration;
  list: readonly Value[];
  object: ValueObject;
}

export type Parameter = keyof ValueOfKind;

/** One meaning of a function, for arguments of these kinds. A method's receiver is its first argument. */
export interface Overload {
  readonly parameters: readonly Parameter[];
  readonly returns: (argumentTypes: readonly StaticType[]) => StaticType;
  readonly call: (frame: Frame, ...args: Value[]) => Value;
}

/** A value that the document writes out. */
export type Literal = string | number | boolean | null;

export interface FunctionDeclaration {
  /** How it is called: `size(x)`, `x.size()`, or either. */
  readonly style: "function" | "method" | "either";
  /**
   * Judges the arguments that the document writes out, so that a mistake is found when a version is published; `undefined`
   * stands for the others. A method's receiver is the first. Throws `EvaluationFailure`.
   */
  readonly checkLiterals?: (literals: readonly (Literal | undefined)[]) => void;
  readonly overloads: readonly Overload[];
}

type Values<P extends readonly Parameter[]> = { [Index in keyof P]: ValueOfKind[P[Index]] };

/** Declares an overload; its arguments are checked against `parameters` before it is called. */
export function overload<const P extends readonly Parameter[]>(
  parameters: P,
  returns: StaticType | ((argumentTypes: readonly StaticType[]) => StaticType),
  call: (frame: Frame, ...args: Values<P>) => Value,
): Overload {
  return {
    parameters,
    returns: typeof returns === "function" ? returns : () => returns,
    // `fits` has checked the arguments, which the type of a list of overloads cannot say.
    call: call as unknown as Overload["call"],
  };
}

/** Whether arguments of these types may turn out to fit. */
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
