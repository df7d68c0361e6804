import type { JsonObject, ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { localSchema } from "../../values/local-schema.ts";
import { stepTitle } from "../../flowchart/step-title.ts";
import { certainlyBefore } from "./certainly-before.ts";

/** A value that an expression can read. */
export interface ScopeEntry {
  /** As it is written: `input.amount`. */
  readonly path: string;
  /** Its type in a word; empty if it is unknown. */
  readonly type: string;
  /** Its meaning for people: a title, or where it comes from. */
  readonly title: string;
}

export interface ScopeSources {
  /** Schemas of the results of calls, by node id, as far as they are known. */
  readonly outputs: ReadonlyMap<string, JsonObject>;
  /** Schema of the proposed arguments, where they can be read. `{}` if it is unknown. */
  readonly args?: JsonObject | undefined;
}

const mostEntries = 500;

/** The values that an expression of a step can read for certain: arguments, input, and results of the steps before it. */
export function scopeEntries(
  document: ProcedureDocument,
  nodeId: string,
  { outputs, args }: ScopeSources,
): readonly ScopeEntry[] {
  const before = new Set(certainlyBefore(document, nodeId));
  return [
    ...(args === undefined ? [] : schemaEntries(args, "args", "Argument of the call")),
    ...schemaEntries(document.input, "input", "Input"),
    ...document.nodes.filter(({ id }) => before.has(id)).flatMap((node) => resultEntries(node, outputs.get(node.id))),
    ...runFacts,
  ].slice(0, mostEntries);
}

const runFacts: readonly ScopeEntry[] = [
  { path: "run.startedBy", type: "text", title: "Who started the run" },
  { path: "run.createdAt", type: "time", title: "When the run began" },
  { path: "run.environment", type: "text", title: "Sandbox or live" },
  { path: "run.runId", type: "text", title: "Id of the run" },
  { path: "run.procedureVersion", type: "text", title: "Version of the procedure" },
];

function resultEntries(node: ProcedureNode, output: JsonObject | undefined): readonly ScopeEntry[] {
  const path = `nodes.${node.id}.output`;
  const from = `Result of “${stepTitle(node)}”`;
  switch (node.kind) {
    case "tool_call":
      return [{ path, type: typeWord(output), title: from }, ...schemaEntries(output ?? {}, path, from)];
    case "condition":
      return [{ path: `${path}.branch`, type: "text", title: `Branch of “${stepTitle(node)}”` }];
    case "human_review":
      return [{ path, type: "object", title: from }, ...schemaEntries(node.outputs ?? {}, path, from)];
    case "start":
    case "end":
      return [];
  }
}

const deepest = 3;
const plainName = /^[A-Za-z_]\w*$/;

/** The members of an object schema, with theirs. */
function schemaEntries(schema: unknown, path: string, from: string): readonly ScopeEntry[] {
  const members = (given: unknown, at: string, depth: number): readonly ScopeEntry[] => {
    const properties = localSchema(given, schema)?.["properties"];
    if (depth >= deepest || typeof properties !== "object" || properties === null) return [];
    return Object.entries(properties).flatMap(([name, member]) => {
      const own = plainName.test(name) ? `${at}.${name}` : `${at}[${JSON.stringify(name)}]`;
      const found = localSchema(member, schema);
      const title = typeof found?.["title"] === "string" ? `${found["title"]} · ${from}` : from;
      return [{ path: own, type: typeWord(found), title }, ...members(member, own, depth + 1)];
    });
  };
  return members(schema, path, 0);
}

const typeWords: Readonly<Partial<Record<string, string>>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "yes or no",
  array: "list",
  object: "object",
};

function typeWord(schema: Readonly<Record<string, unknown>> | undefined): string {
  if (schema === undefined) return "";
  const { type, format } = schema;
  const names = (Array.isArray(type) ? (type as readonly unknown[]) : [type]).filter((name) => name !== "null");
  if (names.length !== 1 || typeof names[0] !== "string") return Array.isArray(schema["enum"]) ? "choice" : "";
  if (names[0] === "string" && format === "date") return "date";
  if (names[0] === "string" && format === "date-time") return "time";
  return Object.hasOwn(typeWords, names[0]) ? (typeWords[names[0]] ?? "") : "";
}
