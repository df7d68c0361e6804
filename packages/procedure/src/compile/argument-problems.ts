import type { ErrorObject } from "ajv";
import { meantName, type ErrorDetail, type JsonObject, type JsonValue } from "@procedo/contract";
import { jsonPointer, pointerTokens } from "@procedo/contract/syntax";
import { compileProgram } from "../expressions/compile-expression.ts";
import { schemaType } from "../expressions/schema-type.ts";
import type { ScopeTypes } from "../expressions/scope-types.ts";
import { comparable, describe, string } from "../expressions/static-type.ts";
import type { StaticType } from "../expressions/static-type.ts";
import { scanTemplate } from "../expressions/template-scanner.ts";
import { withoutRefusedNulls } from "../schemas/left-out-nulls.ts";
import { violationOf } from "../schemas/violation.ts";
import type { Validation } from "../schemas/validation.ts";
import { isObject } from "../schemas/schema-walk.ts";

export interface MappedArguments {
  readonly arguments: JsonObject;
  /** Whether the agent adds arguments to the mapped ones. */
  readonly agentAdds: boolean;
  readonly input: JsonObject;
  readonly validation: Validation | undefined;
  readonly types: ScopeTypes;
}

/**
 * Reasons why mapped arguments can never satisfy an action's input schema: literal values that violate it, missing
 * required arguments, unknown arguments, and expressions whose known type does not match. Anything else is checked when
 * the run makes the call.
 */
export function argumentProblems(mapped: MappedArguments): readonly ErrorDetail[] {
  const templates = [...templatesIn(mapped.arguments, [])];
  const problems = templates.flatMap((template) => typeProblem(template, mapped));
  if (mapped.validation === undefined) return problems;
  // The engine does the same before a call: a null that the schema refuses counts as left out.
  const { value } = withoutRefusedNulls(mapped.arguments, mapped.input);
  const errors = mapped.validation.check(value);
  if (typeof errors === "string") return problems;
  return [...problems, ...withMeantNames(certain(errors, templates, mapped.agentAdds).map(described), mapped)];
}

/** A violation and, for an unknown field, the path of the object that contains it. */
interface Described extends ErrorDetail {
  readonly isMissing: boolean;
  readonly unknownIn?: readonly (string | number)[];
}

function described(error: ErrorObject): Described {
  const isUnknown = error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties";
  const { path, message } = violationOf(error);
  const isMissing = error.keyword === "required";
  return { path, message, isMissing, ...(isUnknown && { unknownIn: pointerTokens(error.instancePath).map(asIndex) }) };
}

/**
 * Suggestions per call: the search for a similar name is slow, and arguments with more unknown names have a larger
 * problem.
 */
const maxHints = 50;

/** Adds suggestions to unknown names. A required name that is only misspelt is not reported as missing too. */
function withMeantNames(violations: readonly Described[], mapped: MappedArguments): readonly ErrorDetail[] {
  const misspelt = new Set<string>();
  const type = schemaType(mapped.input);
  const unknown = violations.filter(({ unknownIn }) => unknownIn !== undefined).slice(0, maxHints);
  const meant = new Map<ErrorDetail, string>();
  for (const violation of unknown) {
    const owner = at(type, violation.unknownIn ?? []);
    const known = owner?.kind === "object" ? owner.names() : [];
    const name = meantName(pointerTokens(violation.path).at(-1) ?? "", known);
    if (name === undefined) continue;
    meant.set(violation, name);
    misspelt.add(jsonPointer([...(violation.unknownIn ?? []), name]));
  }
  return violations
    .filter(({ path, isMissing }) => !isMissing || !misspelt.has(path))
    .map((violation) => {
      const { path, message } = violation;
      const name = meant.get(violation);
      return { path, message: name === undefined ? message : `is not a known field; did you mean "${name}"?` };
    });
}

function asIndex(token: string): string | number {
  return /^(0|[1-9]\d*)$/.test(token) ? Number(token) : token;
}

interface TemplateLeaf {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

function* templatesIn(value: JsonValue, path: readonly (string | number)[]): Generator<TemplateLeaf> {
  if (typeof value === "string") {
    if (value.includes("{{")) yield { path, text: value };
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly JsonValue[]).entries()) yield* templatesIn(item, [...path, index]);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* templatesIn(item, [...path, key]);
  }
}

const alternatives = new Set(["anyOf", "oneOf", "not", "if", "contains", "propertyNames", "dependentSchemas"]);

/**
 * The violations that hold for every possible value of the templates: those in parts without templates, those about the
 * set of names, and those about the type of a container. Within alternatives only the overall verdict counts, and only
 * if no template affects it.
 */
function certain(
  errors: readonly ErrorObject[],
  templates: readonly TemplateLeaf[],
  agentAdds: boolean,
): readonly ErrorObject[] {
  const leaves = new Set(templates.map(({ path }) => jsonPointer(path)));
  const open = new Set(templates.flatMap(({ path }) => path.map((_token, end) => jsonPointer(path.slice(0, end)))));
  const verdicts = new Map<string, number>();
  for (const { keyword, instancePath } of errors) {
    if (alternatives.has(keyword)) verdicts.set(instancePath, (verdicts.get(instancePath) ?? 0) + 1);
  }
  return errors.filter((error) => {
    const at = error.instancePath;
    if (agentAdds && at === "" && error.keyword !== "additionalProperties") return false;
    if (isWithinAlternatives(error, verdicts) || leaves.has(at)) return false;
    return !open.has(at) || ["required", "additionalProperties", "type"].includes(error.keyword);
  });
}

/** Whether another error is a verdict on alternatives for the same value, or for one that contains it. */
function isWithinAlternatives({ instancePath, keyword }: ErrorObject, verdicts: ReadonlyMap<string, number>): boolean {
  if ((verdicts.get(instancePath) ?? 0) > (alternatives.has(keyword) ? 1 : 0)) return true;
  for (let end = instancePath.lastIndexOf("/"); end !== -1; end = instancePath.lastIndexOf("/", end - 1)) {
    if (verdicts.has(instancePath.slice(0, end))) return true;
    if (end === 0) break;
  }
  return false;
}

/** Reports an expression of a known type, or text around `{{ }}`, for which the schema requires another type. */
function typeProblem({ path, text }: TemplateLeaf, { input, types }: MappedArguments): readonly ErrorDetail[] {
  const wanted = at(schemaType(input), path);
  const given = givenType(text, types);
  if (wanted === undefined || given === undefined || comparable(given, wanted)) return [];
  return [{ path: jsonPointer(path), message: `must be ${describe(wanted)}, but ${text} is ${describe(given)}.` }];
}

function givenType(text: string, types: ScopeTypes): StaticType | undefined {
  const scanned = scanTemplate(text);
  if ("problem" in scanned) return undefined;
  const [first, ...others] = scanned.parts;
  if (others.length > 0 || first?.kind !== "expression") return string;
  const program = compileProgram(first.source, types, new Set());
  return "problems" in program ? undefined : asJson(program.type);
}

/** The type of a value after its conversion to JSON, in which decimals and times are text. */
function asJson(type: StaticType): StaticType {
  switch (type.kind) {
    case "optional":
      return asJson(type.of);
    case "decimal":
    case "timestamp":
    case "duration":
      return string;
    default:
      return type;
  }
}

function at(type: StaticType, path: readonly (string | number)[]): StaticType | undefined {
  let found: StaticType | undefined = type;
  for (const token of path) {
    if (found?.kind === "object") found = found.field(String(token));
    else if (found?.kind === "list" && typeof token === "number") found = found.items;
    else return undefined;
  }
  return found;
}
