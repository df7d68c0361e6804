import type { ArithmeticOperator } from "./arithmetic.ts";
import { decimal, duration, dyn, int, isNumeric, join, number, string, timestamp } from "./static-type.ts";
import type { StaticType } from "./static-type.ts";

/** The type of an arithmetic result; `undefined` if the operator does not accept these types. */
export function arithmeticType(
  operator: ArithmeticOperator,
  left: StaticType,
  right: StaticType,
): StaticType | undefined {
  if (left.kind === "dyn" || right.kind === "dyn") return dyn;
  if (isNumeric(left) && isNumeric(right)) return left.kind === "int" && right.kind === "int" ? int : number;
  if (operator === "%") return undefined;
  if (isAmount(left) && isAmount(right)) return decimal;
  if (operator === "+") return sumType(left, right);
  if (operator === "-") return differenceType(left, right);
  return undefined;
}

/** Whether `<` and the other comparisons accept these types. */
export function isOrdered(left: StaticType, right: StaticType): boolean {
  if (left.kind === "dyn") return right.kind === "dyn" || isOrdered(right, right);
  if (right.kind === "dyn") return isOrdered(left, left);
  if (isAmount(left) && isAmount(right)) return true;
  return left.kind === right.kind && (left.kind === "timestamp" || left.kind === "duration");
}

function isAmount(type: StaticType): boolean {
  return type.kind === "decimal" || isNumeric(type);
}

function sumType(left: StaticType, right: StaticType): StaticType | undefined {
  const kinds = `${left.kind} ${right.kind}`;
  if (kinds === "string string") return string;
  if (kinds === "list list") return join(left, right);
  if (kinds === "timestamp duration" || kinds === "duration timestamp") return timestamp;
  return kinds === "duration duration" ? duration : undefined;
}

function differenceType(left: StaticType, right: StaticType): StaticType | undefined {
  const kinds = `${left.kind} ${right.kind}`;
  if (kinds === "timestamp duration") return timestamp;
  return kinds === "timestamp timestamp" || kinds === "duration duration" ? duration : undefined;
}
