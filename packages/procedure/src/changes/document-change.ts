import type { JsonValue, ProcedureEdge, ProcedureNode } from "@procedo/contract";

/**
 * A difference between two documents. `path` is a JSON pointer (RFC 6901) into the later document; for a node or edge
 * that was removed, into the earlier one.
 */
export type DocumentChange =
  MemberChanged | NodeAdded | NodeRemoved | NodeRenamed | EdgeAdded | EdgeRemoved | EdgeRedirected;

/** A member of the document, or of a node in both documents, has another value. */
export interface MemberChanged {
  /** A value was added, removed or replaced. */
  readonly kind: "member_changed";
  /** Place of the member, also if the later document lacks it. */
  readonly path: string;
  /** The node that contains the member, by its id in the later document. Left out for a member outside the nodes. */
  readonly nodeId?: string;
  /** Value in the earlier document. Left out if it had none. */
  readonly before?: JsonValue;
  /** Value in the later document. Left out if it has none. */
  readonly after?: JsonValue;
}

/** A node that the earlier document lacks, or has with another kind. */
export interface NodeAdded {
  /** A node was added. */
  readonly kind: "node_added";
  /** Place of the node in the later document. */
  readonly path: string;
  /** Id of the node. */
  readonly nodeId: string;
  /** The node. */
  readonly node: ProcedureNode;
}

/** A node that the later document lacks, or has with another kind. */
export interface NodeRemoved {
  /** A node was removed. */
  readonly kind: "node_removed";
  /** Place of the node in the earlier document. */
  readonly path: string;
  /** Id of the node. */
  readonly nodeId: string;
  /** The node as it was. */
  readonly node: ProcedureNode;
}

/** A node whose id alone changed, together with every edge, expression and review that refers to the node. */
export interface NodeRenamed {
  /** A node has another id. */
  readonly kind: "node_renamed";
  /** Place of the node in the later document. */
  readonly path: string;
  /** The id in the later document. */
  readonly nodeId: string;
  /** The id in the earlier document. */
  readonly before: string;
  /** The node in the later document. */
  readonly node: ProcedureNode;
}

/** An edge that the earlier document lacks. */
export interface EdgeAdded {
  /** An edge was added. */
  readonly kind: "edge_added";
  /** Place of the edge in the later document. */
  readonly path: string;
  /** Id of the node that the edge leaves. */
  readonly nodeId: string;
  /** The edge. */
  readonly edge: ProcedureEdge;
}

/** An edge that the later document lacks. */
export interface EdgeRemoved {
  /** An edge was removed. */
  readonly kind: "edge_removed";
  /** Place of the edge in the earlier document. */
  readonly path: string;
  /** Id of the node that the edge left. */
  readonly nodeId: string;
  /** The edge as it was. */
  readonly edge: ProcedureEdge;
}

/** An edge of the same node and branch that leads to another node. */
export interface EdgeRedirected {
  /** An edge leads to another node. */
  readonly kind: "edge_redirected";
  /** Place of the edge in the later document. */
  readonly path: string;
  /** Id of the node that the edge leaves, in the later document. */
  readonly nodeId: string;
  /** Id of the node that the edge led to, in the earlier document. */
  readonly before: string;
  /** The edge in the later document. */
  readonly edge: ProcedureEdge;
}
