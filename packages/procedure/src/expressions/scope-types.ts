import type { JsonObject } from "@procedo/contract";
import { schemaType } from "./schema-type.ts";
import { dyn, listOf, number, objectOf, string } from "./static-type.ts";
import type { ObjectType, StaticType } from "./static-type.ts";

/** The types of the values that a version's expressions may read, as known when it is published. */
export interface ScopeTypes {
  /** The type of the run's input. */
  readonly input: StaticType;
  /** The type of `nodes.<id>`, per node id. */
  readonly nodes: ReadonlyMap<string, ObjectType>;
  /** The type of any other node, if not every node's id is known. @defaultValue another id is a mistake */
  readonly otherNodes?: ObjectType;
  /** The type of the run's facts. */
  readonly run: ObjectType;
  /** The type of the proposed arguments; `undefined` if they are not in scope. */
  readonly args: StaticType | undefined;
  /** The types of other values, by name, which then replace all of the above. @defaultValue the values of a run */
  readonly values?: ReadonlyMap<string, StaticType>;
  /**
   * Shared by all expressions that are compiled with it. @defaultValue no limit, as for a version that was published
   * before
   */
  readonly budget?: CompileBudget;
}

/** Maximum number of expressions in one document. */
export const expressionLimit = 20_000;

/** Maximum number of instructions of all compiled patterns of one document. */
export const patternsLimit = 100_000;

/**
 * Maximum weight of all compiled schemas of one document, weighted as within one schema. Equal schemas are compiled
 * once.
 */
export const schemasLimit = 8_000;

/** The remaining allowance for the expressions and schemas of a document during its compilation. */
export interface CompileBudget {
  /** Number of expressions that may still be compiled. */
  expressions: number;
  /** Number of instructions that compiled patterns may still have. */
  patternInstructions: number;
  /** Weight that compiled schemas may still have. */
  schemas: number;
}

export function createCompileBudget(): CompileBudget {
  return { expressions: expressionLimit, patternInstructions: patternsLimit, schemas: schemasLimit };
}

/** Schemas of the values that expressions can read, for their type check. */
export interface ScopeSchemas {
  /** JSON Schema of the run's input. @defaultValue any value */
  readonly input?: JsonObject | undefined;
  /** JSON Schema of each node's output; `undefined` if it is unknown. Every node of the procedure has an entry. */
  readonly outputs: ReadonlyMap<string, JsonObject | undefined>;
  /** Whether these are all nodes. @defaultValue true */
  readonly areAllNodes?: boolean;
  /**
   * For nodes whose output is a list of calls: the schemas of one call. They take precedence over `outputs`.
   * @defaultValue none
   */
  readonly calls?: ReadonlyMap<string, CallSchemas>;
  /**
   * JSON Schema of the proposed arguments, `{}` for any value. Left out if there are no arguments (outside guards and
   * sums).
   */
  readonly args?: JsonObject | undefined;
}

/** The schemas of one of several calls; `undefined` if unknown. */
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

/** Types for expressions that read other values than those of a run: a JSON Schema for each name, or any value. */
export function valueTypes(schemas: Readonly<Record<string, JsonObject | undefined>>): ScopeTypes {
  const values = Object.entries(schemas).map(([name, schema]): [string, StaticType] => [name, schemaType(schema)]);
  return { ...scopeTypes({ outputs: new Map() }), values: new Map(values) };
}

/** An error is its message and has members in addition. `error-members.ts` reads them. */
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

/** Each call with its output or its error, and the final text of the agent that made them. */
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

/** The output of a failed step is `{ "error": message }`, regardless of its action's schema. */
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
