/** Something in a document that keeps it from being published, or that its author should know. */
export interface Problem {
  readonly severity: "error" | "warning";
  /** JSON pointer (RFC 6901) into the document. */
  readonly path: string;
  readonly code: ProblemCode;
  /** What is wrong and what to change. */
  readonly message: string;
}

export type ProblemCode =
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
