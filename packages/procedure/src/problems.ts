/** A fault that prevents a document from being published, or a warning for its author. */
export interface Problem {
  /** `error`: the document cannot be published. `warning`: its author should know. */
  readonly severity: "error" | "warning";
  /** JSON pointer (RFC 6901) into the document. */
  readonly path: string;
  /** Kind of the problem. */
  readonly code: ProblemCode;
  /** The fault and its correction. */
  readonly message: string;
  /** The node that contains the problem, or the source of its edge; absent if there is none or it has no id. */
  readonly nodeId?: string;
  /** Position within the text at `path`, in UTF-16 code units, if the problem concerns a part of it. */
  readonly offset?: number;
  /** Line in the document's text, from 1, if the text is available. */
  readonly line?: number;
  /** Column in that line, from 1, in UTF-16 code units. */
  readonly column?: number;
}

/** Kind of a problem in a document. */
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
