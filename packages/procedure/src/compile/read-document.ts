import {
  meantName,
  procedureDocumentSchema,
  type JsonObject,
  type JsonValue,
  type ProcedureBudgets,
  type ProcedureDocument,
  type ProcedureEdge,
  type ProcedureNode,
} from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { outOfBounds } from "../json-bounds.ts";
import { fieldsAt } from "./document-fields.ts";
import type { Report } from "./report.ts";
import { guessKind, maxHints, salvageNode } from "./salvage-node.ts";
import { shapeMessage, unknownFieldMessage, type ShapeIssue } from "./shape-message.ts";

/** The readable parts of a document. If its shape is broken, the rest can still be checked. */
export interface Draft {
  /** Present if the whole document has the right shape. */
  readonly document: ProcedureDocument | undefined;
  readonly input: JsonObject | undefined;
  readonly reference: string | undefined;
  readonly budgets: ProcedureBudgets | undefined;
  /** Nodes with an id that can be read. */
  readonly nodes: readonly DraftNode[];
  /** Nodes without a readable id: an edge may refer to one by any name. */
  readonly unnamed: readonly DraftNode[];
  readonly edges: readonly DraftEdge[];
  /** Every item of `nodes` was readable and has an id, so that an edge to an unknown name leads nowhere. */
  readonly allIdsKnown: boolean;
}

export interface DraftNode {
  /** JSON pointer of the node. */
  readonly path: string;
  /** For a node without a readable id: its place, such as `nodes[3]`. */
  readonly id: string;
  readonly kind: ProcedureNode["kind"] | undefined;
  /** The readable parts; `undefined` if its kind is not readable. */
  readonly node: ProcedureNode | undefined;
  /** Pointers within the node of unreadable fields: `node` has no value or a placeholder there. */
  readonly broken: ReadonlySet<string>;
}

export interface DraftEdge {
  readonly path: string;
  /** The readable parts of the edge. */
  readonly edge: Partial<ProcedureEdge>;
  /** Whether all of it was readable. */
  readonly isWhole: boolean;
}

/** Far above the size that a request may have. A value that is not JSON is also refused here. */
const bounds = { depth: 64, values: 1_000_000 };

const unbroken: ReadonlySet<string> = new Set();

/** Reads a document's shape and reports every fault; `undefined` if no part of it can be checked further. */
export function readDocument(document: unknown, report: Report): Draft | undefined {
  const refused = outOfBounds(document, bounds);
  if (refused !== undefined) {
    report.shape(refused.path, sentence(refused.path, refused.message));
    return undefined;
  }
  const parsed = procedureDocumentSchema.safeParse(document, { reportInput: true });
  if (parsed.success) return wholeDraft(parsed.data);
  if (!isRecord(document)) {
    reportIssues(parsed.error.issues, document, report);
    return undefined;
  }
  const { fitting, issues } = checkItems(document, parsed.error.issues);
  reportIssues(issues, document, report);
  return salvagedDraft(fitting, issues, report);
}

/**
 * Zod does not check the items of a list that is too short or too long. They are checked here, up to the allowed
 * number.
 */
function checkItems(document: JsonObject, issues: readonly ShapeIssue[]) {
  const fitting: Record<string, JsonValue> = { ...document };
  const all = [...issues];
  for (const name of ["nodes", "edges"] as const) {
    const issue = issues.find(({ path }) => path.length === 1 && path[0] === name);
    if (issue === undefined || !Array.isArray(document[name])) continue;
    const items = issue.code === "too_big" ? document[name].slice(0, Number(issue.maximum)) : document[name];
    fitting[name] = items;
    const { element } = procedureDocumentSchema.shape[name];
    for (const [index, item] of items.entries()) {
      const ofItem = element.safeParse(item, { reportInput: true }).error?.issues ?? [];
      all.push(...ofItem.map((found) => ({ ...found, path: [name, index, ...found.path] })));
    }
  }
  return { fitting, issues: all };
}

function wholeDraft(document: ProcedureDocument): Draft {
  const { input, reference, budgets, nodes, edges } = document;
  return {
    ...{ document, input, reference, budgets },
    nodes: nodes.map((node, index) => {
      return { path: jsonPointer(["nodes", index]), id: node.id, kind: node.kind, node, broken: unbroken };
    }),
    unnamed: [],
    edges: edges.map((edge, index) => ({ path: jsonPointer(["edges", index]), edge, isWhole: true })),
    allIdsKnown: true,
  };
}

/** The parts without issues have the shape that the schema describes. */
function salvagedDraft(document: JsonObject, issues: readonly ShapeIssue[], report: Report): Draft {
  const { input, reference, budgets } = document as Partial<ProcedureDocument>;
  const brokenItems = new Set(issues.map(({ path: [list, index] }) => jsonPointer([String(list), Number(index)])));
  const read = listOf(document["nodes"]).map((node, index) => readNode(node, index, brokenItems, document, report));
  const nodes = read.filter((node) => node !== undefined);
  const isNamed = ({ path, id }: DraftNode): boolean => id !== placeOf(path);
  const edges = document["edges"];
  const isBroken = (name: string): boolean => issues.some(({ path }) => path[0] === name);
  const isCut = issues.some(({ code, path }) => code === "too_big" && path.length === 1 && path[0] === "nodes");
  return {
    document: undefined,
    input: isRecord(input) ? input : undefined,
    reference: isBroken("reference") ? undefined : reference,
    budgets: isBroken("budgets") ? undefined : budgets,
    nodes: nodes.filter(isNamed),
    unnamed: nodes.filter((node) => !isNamed(node)),
    edges: Array.isArray(edges)
      ? edges.map((edge: unknown, index) => readEdge(edge, jsonPointer(["edges", index]), brokenItems))
      : [{ path: jsonPointer(["edges"]), edge: {}, isWhole: false }],
    allIdsKnown: Array.isArray(document["nodes"]) && !isCut && nodes.length === read.length && nodes.every(isNamed),
  };
}

function readNode(
  given: unknown,
  index: number,
  brokenItems: ReadonlySet<string>,
  document: JsonObject,
  report: Report,
): DraftNode | undefined {
  const path = jsonPointer(["nodes", index]);
  if (!isRecord(given)) return undefined;
  const id = typeof given["id"] === "string" && given["id"] !== "" ? given["id"] : placeOf(path);
  if (!brokenItems.has(path)) {
    const node = given as unknown as ProcedureNode;
    return { path, id, kind: node.kind, node, broken: unbroken };
  }
  // No further problem of the node would be listed.
  const guess = report.isFull ? undefined : guessKind(given);
  if (guess === undefined) return { path, id, kind: undefined, node: undefined, broken: unbroken };
  const { node, broken, issues } = salvageNode(given, guess, id);
  if (guess !== given["kind"]) {
    const corrected = { nodes: { [index]: { ...given, kind: guess } } };
    const placed = issues.map((issue) => ({ ...issue, path: ["nodes", index, ...issue.path] }));
    reportIssues(placed, { ...document, ...corrected }, report);
  }
  return { path, id, kind: guess, node, broken };
}

function readEdge(given: unknown, path: string, brokenItems: ReadonlySet<string>): DraftEdge {
  if (!brokenItems.has(path)) return { path, edge: given as ProcedureEdge, isWhole: true };
  const { from, to } = isRecord(given) ? given : {};
  const edge = { ...(typeof from === "string" && { from }), ...(typeof to === "string" && { to }) };
  return { path, edge, isWhole: false };
}

/** Reports each shape issue at its path. A missing field is not reported if it is present under a misspelt name. */
function reportIssues(issues: readonly ShapeIssue[], document: unknown, report: Report): void {
  const misspelt = new Set<string>();
  const unknown: { readonly path: readonly PropertyKey[]; readonly name: string; readonly known: readonly string[] }[] =
    [];
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const known = fieldsAt(document, issue.path);
    const free = known.filter((field) => !isGiven(document, [...issue.path, field]));
    for (const name of issue.keys) {
      const meant = unknown.length < maxHints ? meantName(name, free) : undefined;
      if (meant !== undefined) misspelt.add(pointerOf([...issue.path, meant]));
      unknown.push({ path: issue.path, name, known: meant === undefined ? known : [meant] });
    }
  }
  for (const { path, name, known } of unknown) {
    if (report.isFull) return;
    const place = pointerOf([...path, name]);
    report.shape(place, sentence(place, unknownFieldMessage(name, unknown.length > maxHints ? [] : known)));
  }
  for (const issue of issues) {
    if (report.isFull) return;
    const place = pointerOf(issue.path);
    if (issue.code === "unrecognized_keys" || (misspelt.has(place) && !isGiven(document, issue.path))) continue;
    const message = sentence(place, shapeMessage(issue));
    // A list of the wrong length is still a list, so that its items are still checked.
    if ((issue.code === "too_small" || issue.code === "too_big") && issue.origin === "array") {
      report.error(place, "shape", message);
    } else report.shape(place, message);
  }
}

function pointerOf(path: readonly PropertyKey[]): string {
  return jsonPointer(path.map((token) => (typeof token === "symbol" ? String(token) : token)));
}

function isGiven(document: unknown, path: readonly PropertyKey[]): boolean {
  let value = document;
  for (const token of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) return false;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[token];
  }
  return value !== undefined;
}

/** A message has to be clear without its pointer, too. */
function sentence(path: string, message: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (path === "") return `The document ${message}`;
  return /^\d+$/.test(name) ? `Item ${name} of this list ${message}` : `"${name}" ${message}`;
}

function placeOf(path: string): string {
  return `nodes[${path.slice(path.lastIndexOf("/") + 1)}]`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> & JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
