import type { JsonObject } from "@procedo/contract";
import { schemaType } from "./schema-type.ts";
import { dyn, listOf, number, objectOf, string } from "./static-type.ts";
import type { ObjectType, StaticType } from "./static-type.ts";

/** What is known, when a version is published, of everything that its expressions may read. */
export interface ScopeTypes {
  readonly input: StaticType;
  /** Per node id, the type of `nodes.<id>`. */
  readonly nodes: ReadonlyMap<string, ObjectType>;
  /** Of any other id, where not every node's id is known. @defaultValue another id is a mistake */
  readonly otherNodes?: ObjectType;
  readonly run: ObjectType;
  /** Of the proposed arguments; nothing where they are not in scope. */
  readonly args: StaticType | undefined;
  /** Shared by all expressions that are compiled with it. @defaultValue no bound, as for a version that was published before */
  readonly budget?: CompileBudget;
}

/** Expressions that one document may have. */
export const expressionLimit = 20_000;

/** Instructions that all patterns of one document may compile to. */
export const patternsLimit = 100_000;

/** Schemas that are compiled of one document, weighted as within one schema; what stands twice is compiled once. */
export const schemasLimit = 8_000;

/** What is left to the expressions and schemas of a document while it is compiled. */
export interface CompileBudget {
  expressions: number;
  patternInstructions: number;
  schemas: number;
}

export function createCompileBudget(): CompileBudget {
  return { expressions: expressionLimit, patternInstructions: patternsLimit, schemas: schemasLimit };
}

/** Schemas of the values that expressions can read, for their type check. */
export interface ScopeSchemas {
  /** JSON Schema of the run's input. @defaultValue anything */
  readonly input?: JsonObject | undefined;
  /** JSON Schema of each node's output, or nothing where it is not known. Every node of the procedure has an entry. */
  readonly outputs: ReadonlyMap<string, JsonObject | undefined>;
  /** Whether there is no node beside these. @defaultValue true */
  readonly areAllNodes?: boolean;
  /** Of nodes whose output is a list of calls: the schemas of one. Stand before those of `outputs`. @defaultValue none */
  readonly calls?: ReadonlyMap<string, CallSchemas>;
  /** JSON Schema of the proposed arguments, `{}` for anything; left out where there are none (outside guards and sums). */
  readonly args?: JsonObject | undefined;
}

/** What one of several calls is given and gives; nothing where it is not known. */
export interface CallSchemas {
  readonly arguments: JsonObject | undefined;
  readonly output: JsonObject | undefined;
}

/** Reads the schemas of a procedure once, for all its expressions. */
export function scopeTypes(schemas: ScopeSchemas): ScopeTypes {
  const outputType = (nodeId: string, output: JsonObject | undefined): StaticType => {
    const several = schemas.calls?.get(nodeId);
    return several === undefined ? schemaType(output) : callsType(several);
  };
  return {
    input: schemaType(schemas.input),
    nodes: new Map(Array.from(schemas.outputs, ([nodeId, output]) => [nodeId, nodeType(outputType(nodeId, output))])),
    ...(schemas.areAllNodes === false && { otherNodes: nodeType(dyn) }),
    run: runType,
    args: schemas.args === undefined ? undefined : schemaType(schemas.args),
  };
}

/** An error is its message, and has members beside. `error-members.ts` reads them. */
const errorText: StaticType = {
  kind: "string",
  members: objectOf(
    new Map<string, StaticType>([
      ["message", string],
      ["status", number],
      ["reason", string],
      ["body", dyn],
    ]),
  ),
};

function nodeType(output: StaticType): ObjectType {
  return objectOf(
    new Map([
      ["output", withFailure(output)],
      ["error", errorText],
    ]),
  );
}

/** Each call with its output or its error, and the last words of whoever made them. */
function callsType(schemas: CallSchemas): ObjectType {
  const call = objectOf(
    new Map<string, StaticType>([
      ["arguments", schemaType(schemas.arguments)],
      ["output", schemaType(schemas.output)],
      ["error", errorText],
    ]),
  );
  return objectOf(
    new Map<string, StaticType>([
      ["calls", listOf(call)],
      ["text", string],
    ]),
  );
}

/** A failed step's output is `{ "error": message }`, whatever its action's schema says. */
function withFailure(output: StaticType): StaticType {
  if (output.kind !== "object") return output;
  return {
    kind: "object",
    field: (name) => output.field(name) ?? (name === "error" ? string : undefined),
    names: () => [...output.names(), "error"],
  };
}

const runType = objectOf(
  new Map(
    ["runId", "procedureId", "procedureVersion", "environment", "createdAt", "startedBy"].map((name) => [name, string]),
  ),
);
