/** Something in a document that keeps it from being published, or that its author should know. */
export interface Problem {
  readonly severity: "error" | "warning";
  /** JSON pointer (RFC 6901) into the document. */
  readonly path: string;
  readonly code: ProblemCode;
  /** What is wrong and what to change. */
  readonly message: string;
  /** The node that the problem is in, or that its edge leaves; left out where there is none, or it has no id. */
  readonly nodeId?: string;
  /** Characters (UTF-16 code units) from the beginning of the text at `path`, where the problem is in a part of it. */
  readonly offset?: number;
  /** Line in the document's text, from 1, where the text is at hand. */
  readonly line?: number;
  /** Column in that line, from 1, in UTF-16 code units. */
  readonly column?: number;
}

/** Kind of a fault in a document. */
export type ProblemCode =
  | "syntax"
  | "shape"
  | "duplicate_id"
  | "start_count"
  | "missing_end"
  | "unknown_node"
  | "unreachable"
  | "no_way_to_end"
  | "missing_edge"
  | "duplicate_edge"
  | "unexpected_edge"
  | "duplicate_branch"
  | "expression"
  | "schema"
  | "unknown_connection"
  | "unknown_action"
  | "renamed_action"
  | "deprecated_action"
  | "arguments"
  | "covers"
  | "reviewers"
  | "duration"
  | "time_zone"
  | "model_missing"
  | "node_settings"
  | "optional";
