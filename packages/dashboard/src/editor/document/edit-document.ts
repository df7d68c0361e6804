/*
 * The editor's document: the contract's own shape, changed by pure functions.
 *
 *   document-edit.ts    every act of a person on a document
 *   edit-document.ts    the document after an act
 *   edit-graph.ts       steps that come, go and move; ways.ts: the ways out of a step
 *   new-node.ts         a step as it begins; node-ids.ts: its id
 *   set-in.ts           a copy with another value at a path
 *   history.ts          undo and redo
 *   read-document.ts    whether a draft has the shape that the editor shows
 */
import type { JsonObject, ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { mapNodeIds, renameReads } from "@procedo/procedure";
import type { DocumentEdit } from "./document-edit.ts";
import { connect, detach, insertAfter, withoutNode } from "./edit-graph.ts";
import { renameInputField } from "./input-schema.ts";
import { newNode } from "./new-node.ts";
import { whyNotId } from "./node-ids.ts";
import { isNode, readDocument } from "./read-document.ts";
import { setIn } from "./set-in.ts";
import { waysOf, type Place } from "./ways.ts";

/** The document after an act: the same object if the act does not apply to it, or changes nothing. */
export function editDocument(document: ProcedureDocument, edit: DocumentEdit): ProcedureDocument {
  switch (edit.kind) {
    case "add_step": {
      if (!hasWay(document, edit.after) || whyNotId(document, "", edit.nodeId) !== undefined) return document;
      const node = newNode(edit.step, edit.nodeId, edit.title);
      return insertAfter({ ...document, nodes: [...document.nodes, node] }, node, edit.after);
    }
    case "delete_step": {
      const node = nodeOf(document, edit.nodeId);
      if (node === undefined || !isRemovable(document, node)) return document;
      return withoutNode(detach(document, node), node.id);
    }
    case "move_step":
      return moveStep(document, edit.nodeId, edit.after);
    case "connect": {
      if (!hasWay(document, edit.from)) return document;
      if (edit.to !== undefined && !isTarget(nodeOf(document, edit.to))) return document;
      return connect(document, edit.from, edit.to);
    }
    case "rename_step": {
      const { nodeId, to } = edit;
      if (to === nodeId || nodeOf(document, nodeId) === undefined) return document;
      if (whyNotId(document, nodeId, to) !== undefined) return document;
      return asDocument(mapNodeIds(asJson(document), (id) => (id === nodeId ? to : id)));
    }
    case "rename_branch":
      return renameBranch(document, edit.nodeId, edit.branch, edit.to);
    case "rename_input": {
      const { name, to } = edit;
      const { properties } = document.input;
      const isName = typeof properties === "object" && properties !== null && Object.hasOwn(properties, name);
      if (!isName || name === to || to === "" || Object.hasOwn(properties, to)) return document;
      const input = renameInputField(document.input, name, to);
      return asDocument(renameReads(asJson({ ...document, input }), { kind: "input", name }, to));
    }
    case "delete_branch": {
      const node = nodeOf(document, edit.nodeId);
      if (node?.kind !== "condition") return document;
      const branches = node.branches.filter(({ name }) => name !== edit.branch);
      if (branches.length === node.branches.length || branches.length === 0) return document;
      const changed = withNode(document, { ...node, branches });
      return node.otherwise === edit.branch ? changed : connect(changed, edit, undefined);
    }
    case "set_field": {
      const node = nodeOf(document, edit.nodeId);
      if (node === undefined || edit.path[0] === "id" || edit.path[0] === "kind") return document;
      const set = setIn(asJson(node), edit.path, edit.value);
      if (!isNode(set) || JSON.stringify(set) === JSON.stringify(node)) return document;
      return withNode(document, set as unknown as ProcedureNode);
    }
    case "set_member": {
      const set = readDocument(setIn(asJson(document), edit.path, edit.value));
      return set === undefined || JSON.stringify(set) === JSON.stringify(document) ? document : set;
    }
    case "replace":
      return edit.document;
  }
}

/** Whether a step may be taken out. A procedure keeps one start. */
export function isRemovable({ nodes }: ProcedureDocument, node: ProcedureNode): boolean {
  return node.kind !== "start" || nodes.filter(({ kind }) => kind === "start").length > 1;
}

/** Whether a way may lead to a step: to any but the start. */
export function isTarget(node: ProcedureNode | undefined): node is ProcedureNode {
  return node !== undefined && node.kind !== "start";
}

/** The first step with an id. Only a document from elsewhere has several. */
export function nodeOf({ nodes }: ProcedureDocument, nodeId: string): ProcedureNode | undefined {
  return nodes.find(({ id }) => id === nodeId);
}

function hasWay(document: ProcedureDocument, { nodeId, branch }: Place): boolean {
  const node = nodeOf(document, nodeId);
  return node !== undefined && waysOf(node).some((way) => way.branch === branch);
}

function moveStep(document: ProcedureDocument, nodeId: string, after: Place): ProcedureDocument {
  const node = nodeOf(document, nodeId);
  if (node === undefined || node.kind === "start" || after.nodeId === nodeId) return document;
  if (!hasWay(document, after)) return document;
  if (document.edges.some((edge) => edge.to === nodeId && edge.from === after.nodeId && edge.branch === after.branch)) {
    return document;
  }
  return insertAfter(detach(document, node), node, after);
}

function renameBranch(document: ProcedureDocument, nodeId: string, branch: string, to: string): ProcedureDocument {
  const node = nodeOf(document, nodeId);
  if (node?.kind !== "condition" || branch === to || to === "") return document;
  const names = waysOf(node).map((way) => way.branch);
  if (!names.includes(branch) || names.includes(to)) return document;
  const renamed = withNode(document, {
    ...node,
    branches: node.branches.map((one) => (one.name === branch ? { ...one, name: to } : one)),
    ...(node.otherwise === branch && { otherwise: to }),
  });
  const edges = renamed.edges.map((edge) =>
    edge.from === nodeId && edge.branch === branch ? { ...edge, branch: to } : edge,
  );
  return asDocument(renameReads(asJson({ ...renamed, edges }), { kind: "branch", nodeId, name: branch }, to));
}

function withNode(document: ProcedureDocument, node: ProcedureNode): ProcedureDocument {
  const at = document.nodes.findIndex(({ id }) => id === node.id);
  return at === -1 ? document : { ...document, nodes: document.nodes.with(at, node) };
}

function asJson(value: ProcedureDocument | ProcedureNode): JsonObject {
  return value as unknown as JsonObject;
}

function asDocument(value: JsonObject): ProcedureDocument {
  return value as unknown as ProcedureDocument;
}
