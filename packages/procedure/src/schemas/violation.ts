import type { ErrorObject } from "ajv";
import type { ErrorDetail } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";

/** A place in a value that does not fit its schema. */
export interface Violation extends ErrorDetail {
  /** The member whose presence requires the missing one. {@link isRequiredWith} is then the message. */
  readonly requiredWith?: string;
}

/** The message about a member that is required because of another one. */
export function isRequiredWith(name: string): string {
  return `is required with ${quoted(name)}.`;
}

/** A violation as reported by ajv, as a sentence in the schema's terms. The value itself is never quoted. */
export function violationOf(error: ErrorObject): Violation {
  const params = error.params as Readonly<Record<string, unknown>>;
  const at = (key: string) => error.instancePath + jsonPointer([String(params[key])]);
  const here = (message: string): ErrorDetail => ({ path: error.instancePath, message });
  switch (error.keyword) {
    case "required":
      return { path: at("missingProperty"), message: "is required." };
    case "additionalProperties":
      return { path: at("additionalProperty"), message: "is not a known field; remove it or check its spelling." };
    case "unevaluatedProperties":
      return { path: at("unevaluatedProperty"), message: "is not a known field; remove it or check its spelling." };
    case "propertyNames":
      return { path: at("propertyName"), message: "has a name that is not allowed." };
    case "type":
      return here(`must be ${listed(params["type"], withArticle)}.`);
    case "enum":
      return here(`must be one of ${listed(params["allowedValues"], quoted)}.`);
    case "const":
      return here(`must be ${quoted(params["allowedValue"])}.`);
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return here(`must be ${String(params["comparison"])} ${String(params["limit"])}.`);
    case "minLength":
      return here(`must have at least ${String(params["limit"])} characters.`);
    case "maxLength":
      return here(`must have at most ${String(params["limit"])} characters.`);
    case "minItems":
      return here(`must have at least ${String(params["limit"])} items.`);
    case "maxItems":
      return here(`must have at most ${String(params["limit"])} items.`);
    case "minProperties":
      return here(`must have at least ${String(params["limit"])} fields.`);
    case "maxProperties":
      return here(`must have at most ${String(params["limit"])} fields.`);
    case "uniqueItems":
      return here(
        `must not hold equal items: number ${String(params["j"])} and ${String(params["i"])}, from 0, are equal.`,
      );
    case "multipleOf":
      return here(`must be a multiple of ${String(params["multipleOf"])}.`);
    case "pattern":
      return here(`must match the pattern ${String(params["pattern"])}`);
    case "format":
      return here(`must have the format "${String(params["format"])}".`);
    case "anyOf":
      return here("fits none of the allowed forms.");
    case "oneOf":
      return here(
        params["passingSchemas"] === null || params["passingSchemas"] === undefined
          ? "fits none of the allowed forms."
          : "fits more than one of the allowed forms, but must fit exactly one.",
      );
    case "not":
      return here("has a form that is not allowed.");
    case "if":
      return here(`does not satisfy "${String(params["failingKeyword"])}".`);
    case "contains":
      return here(`must have ${counted(params["minContains"], params["maxContains"])} that fit "contains".`);
    case "additionalItems":
    case "items":
    case "unevaluatedItems":
      return here(`must have at most ${String(params["limit"] ?? params["len"])} items.`);
    case "dependentRequired":
    case "dependencies": {
      const requiredWith = String(params["property"]);
      return { path: at("missingProperty"), message: isRequiredWith(requiredWith), requiredWith };
    }
    case "false schema":
      return here("is not allowed here.");
    default:
      return here(`does not satisfy "${error.keyword}".`);
  }
}

function counted(least: unknown, most: unknown): string {
  const from = String(least);
  return typeof most === "number" ? `${from} to ${most} items` : `${from} or more items`;
}

function withArticle(type: unknown): string {
  const name = String(type);
  if (name === "null") return "null";
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

const longestValue = 200;

/** A constant of the schema; the beginning of a large one. */
function quoted(value: unknown): string {
  const text = beginningOf(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

/** JSON text, complete if it has at most {@link longestValue} characters. */
function beginningOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, longestValue + 1));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  for (const name of Object.keys(value)) {
    if (text.length > longestValue) return text;
    if (text.length > 1) text += ",";
    if (!isList) text += `${beginningOf(name)}:`;
    text += beginningOf((value as Readonly<Record<string, unknown>>)[name]);
  }
  return text + (isList ? "]" : "}");
}

const longestList = 20;

function listed(values: unknown, show: (value: unknown) => string): string {
  const all: readonly unknown[] = Array.isArray(values) ? values : [values];
  const shown = all.slice(0, longestList).map(show);
  if (all.length > longestList) return `${shown.join(", ")} and ${all.length - longestList} more`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}
