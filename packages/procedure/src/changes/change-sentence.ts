import type { JsonValue, ProcedureEdge, ProcedureNode } from "@procedo/contract";
import { pointerTokens } from "@procedo/contract/syntax";
import { plainDigits } from "../numbers/exact-number.ts";
import { canonicalText } from "../schemas/json-equality.ts";
import type { DocumentChange, MemberChanged } from "./document-change.ts";
import { isList, isObject } from "./node-references.ts";

/**
 * A change of a document in words, one English sentence for people. Values are JSON with all digits of their numbers.
 * Of two long texts, only the parts that differ are shown, with some characters around them. The sentence contains
 * texts of the documents as they are: show it as plain text. Pure.
 *
 * @example
 * ```ts
 * import { sentenceOf } from "@procedo/procedure";
 *
 * const path = "/nodes/3/sumLimits/0/atMost";
 *
 * console.log(sentenceOf({ kind: "member_changed", path, nodeId: "pay", before: 500000, after: 5000000 }));
 * // Node "pay", sumLimits[0].atMost: changed from 500000 to 5000000.
 * ```
 */
export function sentenceOf(change: DocumentChange): string {
  switch (change.kind) {
    case "member_changed":
      return `${placeOf(change)}: ${differenceOf(change)}.`;
    case "node_added":
      return `${nodeName(change.node)} was added${contentOf(change.node)}.`;
    case "node_removed":
      return `${nodeName(change.node)} was removed.`;
    case "node_renamed":
      return `Node ${shown(change.before)} was renamed to ${shown(change.nodeId)}.${renamingEffect(change.node)}`;
    case "edge_added":
      return `The edge from ${edgeName(change.edge)} to ${shown(change.edge.to)} was added.`;
    case "edge_removed":
      return `The edge from ${edgeName(change.edge)} to ${shown(change.edge.to)} was removed.`;
    case "edge_redirected": {
      const { edge, before } = change;
      return `The edge from ${edgeName(edge)} leads to ${shown(edge.to)}, no longer to ${shown(before)}.`;
    }
  }
}

const memberNames: Readonly<Record<string, string>> = {
  $schema: "Address of the JSON Schema",
  schemaVersion: "Version of the format",
  procedureId: "Procedure id",
  name: "Name",
  description: "Description",
  input: "Input schema",
  reference: "Reference of runs",
  budgets: "Budgets",
};

const kindNames: Readonly<Record<ProcedureNode["kind"], string>> = {
  start: "Start",
  end: "End",
  tool_call: "Tool Call",
  condition: "Condition",
  human_review: "Human Review",
};

function nodeName({ id, kind }: ProcedureNode): string {
  return `Node ${shown(id)} (${kindNames[kind]})`;
}

function contentOf({ id: _id, kind: _kind, ...content }: ProcedureNode): string {
  return Object.keys(content).length === 0 ? "" : `: ${shown(content as unknown as JsonValue)}`;
}

/** A limit of a day continues under the node's id and its own name. */
function renamingEffect(node: ProcedureNode): string {
  const isBegun = node.kind === "tool_call" && node.sumLimits?.some(({ per }) => per === "day") === true;
  return isBegun ? " Its sums of a day begin at 0 under the new id." : "";
}

function edgeName({ from, branch }: ProcedureEdge): string {
  return branch === undefined ? shown(from) : `${shown(from)}, branch ${shown(branch)},`;
}

/** The node and its member, or a member of the document: `Node "pay", retry.maxAttempts`. */
function placeOf({ path, nodeId }: MemberChanged): string {
  const tokens = pointerTokens(path);
  if (nodeId !== undefined) return `Node ${shown(nodeId)}, ${memberPath(tokens.slice(2))}`;
  const [first = "", ...rest] = tokens;
  const name = memberNames[first] ?? memberPath([first]);
  return rest.length === 0 ? name : `${name}, ${memberPath(rest)}`;
}

function memberPath(tokens: readonly string[]): string {
  return tokens
    .map((token, index) => {
      if (/^(?:0|[1-9]\d*)$/.test(token)) return `[${token}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(token)) return `[${shown(token)}]`;
      return index === 0 ? token : `.${token}`;
    })
    .join("");
}

function differenceOf({ before, after }: MemberChanged): string {
  if (before === undefined) return `${shown(after ?? null)} was added`;
  if (after === undefined) return `${shown(before)} was removed`;
  const ofItems = isList(before) && isList(after) ? itemDifferences(before, after) : [];
  if (ofItems.length > 0) return ofItems.join(", ");
  const [from, to] = typeof before === "string" && typeof after === "string" ? differing(before, after) : [];
  return `changed from ${from ?? shown(before)} to ${to ?? shown(after)}`;
}

/** The removed and added items; none if the items in both lists also changed their order. */
function itemDifferences(before: readonly JsonValue[], after: readonly JsonValue[]): readonly string[] {
  const removed = without(before, after);
  const added = without(after, before);
  const kept = (list: readonly JsonValue[], others: readonly Item[]): string => {
    const at = new Set(others.map(({ index }) => index));
    return list
      .filter((_item, index) => !at.has(index))
      .map(keyOf)
      .join();
  };
  if (kept(before, removed) !== kept(after, added)) return [];
  return [
    ...removed.map(({ item }) => `${shown(item)} was removed`),
    ...added.map(({ item, index }) => `${shown(item)} was added as item ${index + 1} of ${after.length}`),
  ];
}

interface Item {
  readonly item: JsonValue;
  readonly index: number;
}

/** The items of `list` beyond those of `other`; an item that repeats counts each time. */
function without(list: readonly JsonValue[], other: readonly JsonValue[]): readonly Item[] {
  const counts = new Map<string, number>();
  for (const item of other) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return list
    .map((item, index) => ({ item, index }))
    .filter(({ item }) => {
      const left = counts.get(keyOf(item)) ?? 0;
      counts.set(keyOf(item), left - 1);
      return left <= 0;
    });
}

function keyOf(item: JsonValue): string {
  return canonicalText(item, () => undefined);
}

/** Longer texts are shown in part. */
const shortText = 120;
/** Characters on each side of a difference. */
const around = 24;

/** Two texts, without the long parts at their beginning and end that both have. An ellipsis stands for each. */
function differing(before: string, after: string): readonly [string, string] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const isLong = Math.max(before.length, after.length) > shortText;
  const from = isLong && start > around ? wholeCharacter(before, start - around) : 0;
  const tail = isLong && end > around ? end - around : 0;
  const part = (text: string): string => {
    const to = tail === 0 ? text.length : wholeCharacter(text, text.length - tail);
    return `${from === 0 ? "" : "…"}${shown(text.slice(from, to))}${to === text.length ? "" : "…"}`;
  };
  return [part(before), part(after)];
}

/** The position itself, or the one before a character that it would divide. */
function wholeCharacter(text: string, at: number): number {
  return /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at - 1 : at;
}

/** A value as JSON. A number has all its digits and no exponent. */
function shown(value: JsonValue): string {
  if (typeof value === "number") return plainDigits(value);
  if (isList(value)) return `[${value.map(shown).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${shown(member)}`)
    .join(",")}}`;
}
