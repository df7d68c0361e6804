import { procedureDocumentSchema } from "@procedo/contract";
import type { JsonObject, ProcedureBudgets, ProcedureDocument, ProcedureEdge, ProcedureNode } from "@procedo/contract";
import { outOfBounds } from "../json-bounds.ts";
import { pointerTo } from "../pointer.ts";
import type { Report } from "./report.ts";
import { shapeMessage } from "./shape-message.ts";

/** What could be read of a document. Where its shape is broken, the rest is there to be checked all the same. */
export interface Draft {
  /** Present when the whole document has the right shape. */
  readonly document: ProcedureDocument | undefined;
  readonly input: JsonObject | undefined;
  readonly budgets: ProcedureBudgets | undefined;
  readonly nodes: readonly DraftNode[];
  readonly edges: readonly DraftEdge[];
  /** Every node has an id that can be read, so an edge to another name leads nowhere. */
  readonly allIdsKnown: boolean;
  /** Every edge could be read, so a way that is not there is missing. */
  readonly allEdgesKnown: boolean;
}

export interface DraftNode {
  /** JSON pointer of the node. */
  readonly path: string;
  readonly id: string;
  readonly kind: ProcedureNode["kind"] | undefined;
  /** `undefined` where the node's shape is broken; nothing is then concluded about it. */
  readonly node: ProcedureNode | undefined;
}

export interface DraftEdge {
  readonly path: string;
  readonly edge: ProcedureEdge;
}

/** Far above what a request may hold; a document that is no JSON at all is refused here too. */
const bounds = { depth: 64, values: 1_000_000 };

/** Reads a document's shape and reports every fault; `undefined` when it holds no nodes to go on with. */
export function readDocument(document: unknown, report: Report): Draft | undefined {
  const refused = outOfBounds(document, bounds);
  if (refused !== undefined) {
    report.error(refused.path, "shape", sentence(refused.path, refused.message));
    return undefined;
  }
  const parsed = procedureDocumentSchema.safeParse(document, { reportInput: true });
  if (parsed.success) return wholeDraft(parsed.data);
  for (const issue of parsed.error.issues) {
    if (report.isFull) break;
    const path = issue.path.map((token) => (typeof token === "symbol" ? String(token) : token));
    const places = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...path, key]) : [path];
    for (const place of places)
      report.error(pointerTo(...place), "shape", sentence(pointerTo(...place), shapeMessage(issue)));
  }
  // A list with too few items is a list all the same.
  const breaking = parsed.error.issues.filter(({ code, path }) => code !== "too_small" || path.length > 1);
  const isBroken = brokenPlaces(breaking.map(({ path }) => path));
  return isBroken("nodes") || !isRecord(document) ? undefined : salvagedDraft(document, isBroken);
}

function wholeDraft(document: ProcedureDocument): Draft {
  return {
    document,
    input: document.input,
    budgets: document.budgets,
    nodes: document.nodes.map((node, index) => ({
      path: pointerTo("nodes", index),
      id: node.id,
      kind: node.kind,
      node,
    })),
    edges: document.edges.map((edge, index) => ({ path: pointerTo("edges", index), edge })),
    allIdsKnown: true,
    allEdgesKnown: true,
  };
}

type IsBroken = (part: string, index?: number) => boolean;

/** Which parts of the document, or items of its lists, have an issue in them. */
function brokenPlaces(paths: readonly (readonly PropertyKey[])[]): IsBroken {
  const wholes = new Set<PropertyKey>();
  const items = new Set<string>();
  for (const [part, index] of paths) {
    if (part === undefined) continue;
    if (typeof index === "number") items.add(`${String(part)} ${index}`);
    else wholes.add(part);
  }
  return (part, index) => (index === undefined ? wholes.has(part) : items.has(`${part} ${index}`));
}

function salvagedDraft(document: Readonly<Record<string, unknown>>, isBroken: IsBroken): Draft {
  // What zod had nothing to say about has the shape that the schema describes.
  const { nodes, edges, input, budgets } = document as Partial<ProcedureDocument>;
  const read = (nodes ?? []).map((node: unknown, index) => readNode(node, index, isBroken("nodes", index)));
  const edgesRead = isBroken("edges") ? [] : (edges ?? []);
  return {
    document: undefined,
    input: isBroken("input") || !isRecord(input) ? undefined : input,
    budgets: isBroken("budgets") ? undefined : budgets,
    nodes: read.filter((node) => node !== undefined),
    edges: edgesRead
      .map((edge, index) => ({ path: pointerTo("edges", index), edge, broken: isBroken("edges", index) }))
      .filter(({ broken }) => !broken),
    allIdsKnown: !read.includes(undefined),
    allEdgesKnown: !isBroken("edges") && edgesRead.every((_edge, index) => !isBroken("edges", index)),
  };
}

function readNode(node: unknown, index: number, broken: boolean): DraftNode | undefined {
  if (!isRecord(node) || typeof node["id"] !== "string") return undefined;
  const { id, kind } = node;
  const known =
    kind === "start" || kind === "end" || kind === "tool_call" || kind === "condition" || kind === "human_review";
  return {
    path: pointerTo("nodes", index),
    id,
    kind: known ? kind : undefined,
    node: broken ? undefined : (node as unknown as ProcedureNode),
  };
}

/** Messages are read beside their pointer and also without it. */
function sentence(path: string, message: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (path === "") return `The document ${message}`;
  return /^\d+$/.test(name) ? `Item ${name} of this list ${message}` : `"${name}" ${message}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> & JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
