import type { ErrorObject } from "ajv";
import { meantName, type ErrorDetail, type JsonObject, type JsonValue } from "@procedo/contract";
import { compileProgram } from "../expressions/compile-expression.ts";
import { schemaType } from "../expressions/schema-type.ts";
import type { ScopeTypes } from "../expressions/scope-types.ts";
import { comparable, describe, string } from "../expressions/static-type.ts";
import type { StaticType } from "../expressions/static-type.ts";
import { scanTemplate } from "../expressions/template-scanner.ts";
import { pointerTo, tokensOf } from "../pointer.ts";
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
 * Why mapped arguments can never satisfy an action's input schema: literal values that violate it, arguments that it
 * requires or does not know, and paths whose type is known and another one. What only a run can tell is left to the run.
 */
export function argumentProblems(mapped: MappedArguments): readonly ErrorDetail[] {
  const templates = [...templatesIn(mapped.arguments, [])];
  const problems = templates.flatMap((template) => typeProblem(template, mapped));
  if (mapped.validation === undefined) return problems;
  // As the engine does before a call: a null that its schema refuses counts as left out.
  const { value } = withoutRefusedNulls(mapped.arguments, mapped.input);
  const errors = mapped.validation.check(value);
  if (typeof errors === "string") return problems;
  return [...problems, ...withMeantNames(certain(errors, templates, mapped.agentAdds).map(described), mapped)];
}

/** A violation, and the path of the object that has a field which it may not have. */
interface Described extends ErrorDetail {
  readonly unknownIn?: readonly (string | number)[];
}

function described(error: ErrorObject): Described {
  const isUnknown = error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties";
  return { ...violationOf(error), ...(isUnknown && { unknownIn: tokensOf(error.instancePath).map(asIndex) }) };
}

/** Looking for a similar name takes a while; arguments with more unknown names have another problem. */
const maxHints = 50;

/** Unknown names with the ones that they may mean; those are then not missing, only misspelt. */
function withMeantNames(violations: readonly Described[], mapped: MappedArguments): readonly ErrorDetail[] {
  const misspelt = new Set<string>();
  const type = schemaType(mapped.input);
  const unknown = violations.filter(({ unknownIn }) => unknownIn !== undefined).slice(0, maxHints);
  const meant = new Map<ErrorDetail, string>();
  for (const violation of unknown) {
    const owner = at(type, violation.unknownIn ?? []);
    const known = owner?.kind === "object" ? owner.names() : [];
    const name = meantName(tokensOf(violation.path).at(-1) ?? "", known);
    if (name === undefined) continue;
    meant.set(violation, name);
    misspelt.add(pointerTo(...(violation.unknownIn ?? []), name));
  }
  return violations
    .filter(({ path, message }) => message !== "is required." || !misspelt.has(path))
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
 * The violations that stand whatever the templates yield: those of parts without any, of the set of names, and of what
 * kind of container there is. Within alternatives only their verdict counts, and only where no template has a say.
 */
function certain(
  errors: readonly ErrorObject[],
  templates: readonly TemplateLeaf[],
  agentAdds: boolean,
): readonly ErrorObject[] {
  const leaves = new Set(templates.map(({ path }) => pointerTo(...path)));
  const open = new Set(templates.flatMap(({ path }) => path.map((_token, end) => pointerTo(...path.slice(0, end)))));
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

/** Whether another error than this one is a verdict on alternatives for the same value or one that holds it. */
function isWithinAlternatives({ instancePath, keyword }: ErrorObject, verdicts: ReadonlyMap<string, number>): boolean {
  if ((verdicts.get(instancePath) ?? 0) > (alternatives.has(keyword) ? 1 : 0)) return true;
  for (let end = instancePath.lastIndexOf("/"); end !== -1; end = instancePath.lastIndexOf("/", end - 1)) {
    if (verdicts.has(instancePath.slice(0, end))) return true;
    if (end === 0) break;
  }
  return false;
}

/** An expression whose type is known, or text with `{{ }}` in it, where the schema wants something else. */
function typeProblem({ path, text }: TemplateLeaf, { input, types }: MappedArguments): readonly ErrorDetail[] {
  const wanted = at(schemaType(input), path);
  const given = givenType(text, types);
  if (wanted === undefined || given === undefined || comparable(given, wanted)) return [];
  return [{ path: pointerTo(...path), message: `must be ${describe(wanted)}, and ${text} is ${describe(given)}.` }];
}

function givenType(text: string, types: ScopeTypes): StaticType | undefined {
  const scanned = scanTemplate(text);
  if ("problem" in scanned) return undefined;
  const [first, ...others] = scanned.parts;
  if (others.length > 0 || first?.kind !== "expression") return string;
  const program = compileProgram(first.source, types, new Set());
  return "problems" in program ? undefined : asJson(program.type);
}

/** What is left of a type once its value is JSON: decimals and times are text there. */
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
