import { meantName, nearestName, type procedureDocumentSchema } from "@procedo/contract";

/** One issue from the document's zod schema. */
export type ShapeIssue = NonNullable<ReturnType<typeof procedureDocumentSchema.safeParse>["error"]>["issues"][number];

/** The message for an unknown field; `known` are the fields that its object may have. */
export function unknownFieldMessage(name: string, known: readonly string[]): string {
  const hint = known.length === 0 ? "remove it or check its spelling." : nearestName(name, known);
  return `is not a known field here; ${hint}`;
}

/** A shape issue as a sentence about the value at its path. The sentence names the accepted values. */
export function shapeMessage(issue: ShapeIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `is missing; it must be ${named(issue.expected)}.`
        : `must be ${named(issue.expected)}, not ${kindOf(issue.input)}.`;
    case "invalid_value":
      return `${issue.input === undefined ? "is missing; it " : ""}must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}${meant(issue.input, issue.values)}`;
    case "too_small":
      return `must ${measured(issue.origin, "at least", issue.minimum)}.`;
    case "too_big":
      return `must ${measured(issue.origin, "at most", issue.maximum)}.`;
    case "invalid_format":
      return `${issue.message}.`;
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options)
        ? `must be one of ${issue.options.map((option) => JSON.stringify(option)).join(", ")}${meant(discriminatorOf(issue), issue.options)}`
        : "does not match any form that is allowed here.";
    default:
      return `${issue.message}.`;
  }
}

function meant(given: unknown, possible: readonly unknown[]): string {
  const names = possible.filter((value) => typeof value === "string");
  const near = typeof given === "string" ? meantName(given, names) : undefined;
  return near === undefined ? "." : `; did you mean "${near}"?`;
}

/** The value of the discriminator, if the issue is about that. */
function discriminatorOf({ input, path }: ShapeIssue): unknown {
  const name = path.at(-1);
  if (typeof input !== "object" || input === null || name === undefined) return input;
  return (input as Readonly<Record<PropertyKey, unknown>>)[name];
}

function named(expected: string): string {
  switch (expected) {
    case "object":
    case "record":
      return "an object";
    case "array":
      return "a list";
    case "int":
      return "a whole number";
    default:
      return `a ${expected}`;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function measured(origin: string, bound: string, limit: number | bigint): string {
  switch (origin) {
    case "string":
      return limit === 1 && bound === "at least" ? "not be empty" : `have ${bound} ${limit} characters`;
    case "array":
      return `have ${bound} ${limit} ${Number(limit) === 1 ? "item" : "items"}`;
    default:
      return `be ${bound} ${limit}`;
  }
}
