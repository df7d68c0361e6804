// The client
export { createClient } from "./client.ts";
export type { Client, ProcedureClient } from "./client.ts";
export type { ClientOptions } from "./client-options.ts";
export type { AnyProcedures, ProcedureMap, ProcedureTypes, RunOf, RunReplyOf } from "./procedure-types.ts";

// Starting runs and following them
export type { RunRequest, StartRequest } from "./start-run.ts";
export type { GetRunOptions, PageOptions, RunFilter, Runs } from "./runs.ts";
export type { WaitOptions } from "./wait-for-run.ts";

// Deciding reviews
export type { DecideOptions, Decision, ReviewFilter, Reviews, ShownReview } from "./reviews.ts";

// Authorizing connections
export type { AuthorizeOptions, Connections } from "./connections.ts";

// Following changes
export type { ChangesOptions } from "./follow-changes.ts";

// Answers of the service
export type {
  Change,
  ChangeKind,
  ConnectionOAuth,
  JsonObject,
  OpenReview,
  Page,
  Review,
  ReviewKind,
  ReviewSummary,
  Run,
  RunAccepted,
  RunCall,
  RunStep,
  RunTimelineStep,
  RunSummary,
  RunTurn,
  StartedAuthorization,
} from "@procedo/contract";

// Errors
export { ProcedoError } from "@procedo/contract";
export type { ErrorCode, ErrorDetail } from "@procedo/contract";
