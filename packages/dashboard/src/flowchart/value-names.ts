import type { ProcedureDocument } from "@procedo/contract";
import type { ValueNames } from "@procedo/procedure";
import { localSchema, type SchemaObject } from "../values/local-schema.ts";
import { stepTitle } from "./step-title.ts";

/** The names of a document's values in the reading of an expression. */
export function valueNames({ input, nodes }: Pick<ProcedureDocument, "input" | "nodes">): ValueNames {
  return ([root, ...path]) => {
    switch (root) {
      case "input":
        return path.length === 0 ? "the input" : memberName(input, path);
      case "args":
        return path.length === 0 ? "the arguments" : `${nested(path)} of the call`;
      case "run":
        return path.length === 1 ? runNames[path[0] ?? ""] : undefined;
      case "nodes": {
        const [nodeId, part, ...members] = path;
        const node = nodes.find(({ id }) => id === nodeId);
        if (node === undefined || part === undefined) return undefined;
        const owner = `“${stepTitle(node)}”`;
        if (part === "error") return ["the error", ...members].toReversed().join(" of ") + ` of ${owner}`;
        if (members.length === 0) return `the result of ${owner}`;
        if (node.kind === "condition" && members[0] === "branch") return `the branch of ${owner}`;
        return `${nested(members)} of ${owner}`;
      }
      default:
        return undefined;
    }
  };
}

const runNames: Readonly<Partial<Record<string, string>>> = {
  startedBy: "the starter of the run",
  createdAt: "the beginning of the run",
  environment: "the environment",
  runId: "the id of the run",
  procedureId: "the procedure",
  procedureVersion: "the version",
};

/** `["payee", "country"]` is "country of payee". */
function nested(names: readonly string[]): string {
  return names.toReversed().join(" of ");
}

/** The titles of a member of the input and of those around it. */
function memberName(schema: unknown, path: readonly string[]): string {
  let at: unknown = schema;
  const names = path.map((name) => {
    const properties: unknown = localSchema(at, schema)?.["properties"];
    const isMember = typeof properties === "object" && properties !== null && Object.hasOwn(properties, name);
    at = isMember ? (properties as SchemaObject)[name] : undefined;
    const title = localSchema(at, schema)?.["title"];
    return typeof title === "string" && title !== "" ? withinSentence(title) : name;
  });
  return nested(names);
}

/** A title within a sentence: "Invoice number" is "invoice number", and "IBAN" stays. */
function withinSentence(title: string): string {
  return /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
