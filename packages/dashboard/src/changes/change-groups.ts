/* The changes between two documents, by the step that they concern. */
import type { ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { describeChanges, plainReading, sentenceOf, type DocumentChange, type ValueNames } from "@procedo/procedure";
import { kindWord } from "../flowchart/node-kinds.ts";
import { plainTitle } from "../flowchart/plain-title.ts";
import { valueNames } from "../flowchart/value-names.ts";
import type { JsonValue } from "../values/json-lines.ts";

export interface FieldChange {
  /** Place in the step: `retry.maxAttempts`. */
  readonly name: string;
  /** Left out where there was none. */
  readonly before?: JsonValue | undefined;
  /** Left out where there is none any more. */
  readonly after?: JsonValue | undefined;
  /** The values in words, where they are expressions. */
  readonly readings?: { readonly before?: string | undefined; readonly after?: string | undefined };
}

export interface ChangeGroup {
  readonly change: "added" | "removed" | "changed";
  /** Title of the step; "Procedure" or "Edges" for what belongs to none. */
  readonly title: string;
  /** Kind and id of the step. */
  readonly subtitle?: string | undefined;
  readonly fields: readonly FieldChange[];
  /** Changes that are told in a sentence. */
  readonly sentences: readonly string[];
}

/** None if and only if the documents are the same. */
export function groupChanges(before: ProcedureDocument, after: ProcedureDocument): readonly ChangeGroup[] {
  const nodes = new Map([...before.nodes, ...after.nodes].map((node) => [node.id, node]));
  const byPlace = Map.groupBy(describeChanges(before, after), placeOf);
  return [...byPlace].map(([place, changes]): ChangeGroup => {
    const fields = changes.flatMap(fieldsOf).flatMap(membersOf).map(withReadings(before, after));
    const sentences = changes.flatMap((change) => (isSentence(change) ? [sentenceOf(change)] : []));
    if (place === procedure || place === edges) return { change: "changed", title: place, fields, sentences };
    const change = changes[0]?.kind;
    const node =
      changes.flatMap((one) => ("node" in one ? [one.node] : []))[0] ?? nodes.get(place.slice(nodePrefix.length));
    return {
      change: change === "node_added" ? "added" : change === "node_removed" ? "removed" : "changed",
      title: node === undefined ? place.slice(nodePrefix.length) : titleOf(node),
      subtitle: node === undefined ? undefined : `${kindWord(node.kind)} · ${node.id}`,
      fields,
      sentences,
    };
  });
}

const procedure = "Procedure";
const edges = "Edges";
const nodePrefix = "node ";

function placeOf(change: DocumentChange): string {
  switch (change.kind) {
    case "edge_added":
    case "edge_removed":
    case "edge_redirected":
      return edges;
    // A node that keeps its id with another kind is removed and added.
    case "node_removed":
      return `${nodePrefix}${change.nodeId}`;
    default:
      return change.nodeId === undefined ? procedure : `${nodePrefix}${change.nodeId}`;
  }
}

function isSentence({ kind }: DocumentChange): boolean {
  return kind !== "member_changed" && kind !== "node_added" && kind !== "node_removed";
}

function fieldsOf(change: DocumentChange): readonly FieldChange[] {
  if (change.kind === "member_changed") {
    const { path, nodeId, before, after } = change;
    return [{ name: fieldName(path, nodeId === undefined ? 0 : 2), before, after }];
  }
  if (change.kind !== "node_added" && change.kind !== "node_removed") return [];
  const { id: _id, kind: _kind, ...members } = change.node;
  return Object.entries(members as Readonly<Record<string, JsonValue>>).map(([name, value]) =>
    change.kind === "node_added" ? { name, after: value } : { name, before: value },
  );
}

/** Lists of rules, whose members are told one by one. */
const rules = /^(?:branches|guards|sumLimits)(?:\[\d+\])?$/;

/** A rule that was added or removed, as its members. */
function membersOf(field: FieldChange): readonly FieldChange[] {
  const { name, before, after } = field;
  const value = before ?? after;
  if (!rules.test(name) || typeof value !== "object" || value === null) return [field];
  if (before !== undefined && after !== undefined) return [field];
  const members = Array.isArray(value)
    ? (value as readonly JsonValue[]).map((item, index) => [`${name}[${index}]`, item] as const)
    : Object.entries(value as Readonly<Record<string, JsonValue>>).map(
        ([member, one]) => [`${name}.${member}`, one] as const,
      );
  return members.flatMap(([member, one]) =>
    membersOf(before === undefined ? { name: member, after: one } : { name: member, before: one }),
  );
}

const expressions = /^(?:branches|guards|sumLimits)\[\d+\]\.(?:when|check|sum)$/;

function withReadings(before: ProcedureDocument, after: ProcedureDocument): (field: FieldChange) => FieldChange {
  const [namesBefore, namesAfter] = [valueNames(before), valueNames(after)];
  const read = (value: JsonValue | undefined, names: ValueNames): string | undefined =>
    typeof value === "string" ? plainReading(value, names) : undefined;
  return (field) => {
    if (!expressions.test(field.name)) return field;
    return { ...field, readings: { before: read(field.before, namesBefore), after: read(field.after, namesAfter) } };
  };
}

/** The tokens of a JSON pointer after the first ones: `arguments.amount`, `reviewers.roles[0]`. */
function fieldName(path: string, skipped: number): string {
  const tokens = path.split("/").slice(1 + skipped);
  return tokens
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((token, index) => (/^\d+$/.test(token) ? `[${token}]` : index === 0 ? token : `.${token}`))
    .join("");
}

function titleOf(node: ProcedureNode): string {
  return "title" in node && node.title !== undefined ? plainTitle(node.title) : node.id;
}
