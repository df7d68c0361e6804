import type { Environment } from "./environment.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { ReviewKind } from "./reviews.ts";
import type { RunStatus } from "./runs.ts";
import type { RunTrigger } from "./run-trigger.ts";
import type { RunTurn } from "./run-turn-types.ts";

/**
 * The types of runs as the API answers them, written out so that an editor shows the meaning of each field. `runs.ts`
 * has the schemas; `answer-types.test-d.ts` holds both equal.
 */

/** A run as lists show it, without its data. */
export interface RunSummary {
  /** Identifier of the run. */
  runId: string;
  /** Status of the run. */
  status: RunStatus;
  /** Address of the run's current state. */
  statusUrl: string;
  /** The procedure that the run executes. */
  procedureId: string;
  /** The version that the run executes, for its whole life. */
  procedureVersion: string;
  /** The environment of the run. */
  environment: Environment;
  /** The person who started the run. */
  startedBy: string;
  /** The reference of the run, such as an invoice number. Absent if it has none. */
  reference?: string | undefined;
  /** What started the run. Absent for a start over the Runner API or in code. */
  trigger?: RunTrigger | undefined;
  /** Time of the run's start, ISO 8601. */
  createdAt: string;
  /** The open review that the run waits for. */
  waitingFor?: RunWait | undefined;
  /** Why the run failed; the reason of a rejected review. */
  error?: string | undefined;
  /** Time of the end, ISO 8601. */
  completedAt?: string | undefined;
}

/** The open review of a run, as lists show it. */
export interface RunWait {
  /** Discriminates the kinds of waits. */
  kind: "review";
  /** Identifier of the review. */
  reviewId: string;
  /** The reason for the review. */
  reviewKind: ReviewKind;
  /** The node that opened the review. */
  nodeId: string;
  /** The question to the reviewers. */
  title: string;
  /** Time at which the review was opened, ISO 8601. */
  since: string;
}

/** Answer of `GET runs/:runId`. With its status come the open review, the output or the error. */
export type Run = Omit<RunSummary, "status" | "waitingFor" | "error" | "completedAt"> & {
  /** The steps with their inputs and outputs. Present if the request asks for them. */
  steps?: RunStep[] | undefined;
  /** The steps with the sizes of their inputs and outputs. Present if the request asks for them. */
  timeline?: RunTimelineStep[] | undefined;
} & (
    | { status: "running" }
    | {
        status: "awaiting_review";
        /** The open review. Absent once it is decided and the run is about to resume. */
        review?: OpenReview | undefined;
      }
    | {
        status: "completed";
        /** Output of the run. */
        output: JsonObject;
        /** Time of the end, ISO 8601. */
        completedAt: string;
      }
    | {
        status: "failed";
        /** Why the run failed; the reason of a rejected review. */
        error: string;
        /** Time of the end, ISO 8601. */
        completedAt: string;
      }
  );

/** The review that a run waits for. */
export interface OpenReview {
  /** Identifier of the review. */
  reviewId: string;
  /** Digest of the content that reviewers see; send it back as `reviewDigest`. */
  digest: string;
  /** The question to the reviewer. */
  title: string;
  /** The data that the reviewer sees. */
  data: JsonObject;
  /** Time at which the review was opened, ISO 8601. */
  requestedAt: string;
}

/** A call that waits until a person has authorized its connection. */
export interface AuthorizationWait {
  /** Name of the connection. */
  connection: string;
  /** Identifier of the connection. */
  connectionId: string;
  /** Why the call cannot be made. */
  reason: string;
  /** Time since which it waits, ISO 8601. */
  since: string;
  /** Time at which the wait ends without an authorization, ISO 8601. */
  until: string;
}

/** One visit of a node, with its exact input and output. */
export interface RunStep {
  /** Id of the node. */
  nodeId: string;
  /** Kind of the node. */
  kind: "start" | "end" | "tool_call" | "condition" | "human_review";
  /** Title of the node. */
  title?: string | undefined;
  /** Number of the visit of the node, from 1. */
  visit: number;
  /** Status of the step. */
  status: RunStatus;
  /** Input of the step, exactly as it was used. */
  input?: JsonValue | undefined;
  /** Output of the step; `{ error }` for a failed step. */
  output?: JsonValue | undefined;
  /** Name of the edge that the run took, if it has one. */
  branch?: string | undefined;
  /** The agent's reason for the branch, for an answered question. */
  reason?: string | undefined;
  /** The agent's confidence, from 0 to 1, if the node asks for it. */
  confidence?: number | undefined;
  /** The conversation with the agent. Absent if no agent executes the node. */
  turns?: RunTurn[] | undefined;
  /** Number of attempts of the step's calls. */
  attempts?: number | undefined;
  /** Time of the next attempt, ISO 8601, while the step waits for it. */
  retryAt?: string | undefined;
  /** Why the last attempt failed, while the step waits for the next one. */
  retryReason?: string | undefined;
  /** The connection that a person has to authorize first, while the call waits for that. */
  authorization?: AuthorizationWait | undefined;
  /** The calls, if the step made more than one. */
  calls?: RunCall[] | undefined;
  /** The attempts of all calls, in order. Absent if the step made no call. */
  callAttempts?: RunAttempt[] | undefined;
  /** Requests and answers of the attempts, if the integration reports them. */
  exchanges?: RunExchange[] | undefined;
  /** The review that the step opened. */
  reviewId?: string | undefined;
  /** Time of the beginning, ISO 8601. */
  startedAt: string;
  /** Time of the end, ISO 8601. */
  completedAt?: string | undefined;
  /** Duration of the step, in milliseconds. */
  durationMs?: number | undefined;
}

/** One visit of a node, with the sizes of its input and output in their place. */
export interface RunTimelineStep extends Omit<
  RunStep,
  "input" | "output" | "turns" | "exchanges" | "callAttempts" | "calls"
> {
  /** The calls, if the step made more than one, without their arguments and outputs. */
  calls?: Omit<RunCall, "arguments" | "output">[] | undefined;
  /** Sizes of the step's input and output as JSON in UTF-8, in bytes; 0 for a missing value. */
  bytes: {
    /** Size of the input. */
    input: number;
    /** Size of the output. */
    output: number;
  };
  /** Whether an agent executed the step. */
  hasTurns: boolean;
}

/** One of several calls that a step made. */
export interface RunCall {
  /** Number of the call within the step, from 1. */
  call: number;
  /** Number of attempts; 0 if the worker stopped before the first. */
  attempts: number;
  /** The arguments, exactly as sent. */
  arguments: JsonObject;
  /** The result of a successful call. */
  output?: JsonValue | undefined;
  /** Message of a failed call. */
  error?: string | undefined;
  /** Time of the beginning, ISO 8601. */
  startedAt: string;
  /** Time of the end, ISO 8601. Absent while its outcome is not known. */
  completedAt?: string | undefined;
}

/** One attempt of a call. */
export interface RunAttempt {
  /** Number of the call within the step, from 1. */
  call: number;
  /** Number of the attempt of this call, from 1. */
  attempt: number;
  /** Idempotency key of the call, the same for each of its attempts. */
  idempotencyKey: string;
  /** Name of the connection. */
  connection: string;
  /** Name of the action. */
  action: string;
  /** Time of the attempt, ISO 8601. */
  startedAt: string;
  /** Time of its outcome, ISO 8601. Absent while it is under way. */
  completedAt?: string | undefined;
  /**
   * `ok`: the service answered with a result. `error`: it refused the call, or was not reached. `unknown`: the call may or
   * may not have taken effect. `not_started`: the worker stopped before the request was sent, or the service refused the access token. Absent while the attempt is
   * under way.
   */
  outcome?: "ok" | "error" | "unknown" | "not_started" | undefined;
  /** Why the attempt failed, or why its outcome is unknown. */
  message?: string | undefined;
  /** Planned time of the next attempt, ISO 8601. */
  retryAt?: string | undefined;
}

/** The request and answer of one attempt of a call, without secrets. */
export interface RunExchange {
  /** Number of the call within the step, from 1. Absent if the step made one call. */
  call?: number | undefined;
  /** Number of the attempt of this call, from 1. */
  attempt: number;
  /** The request as it was sent. */
  request: {
    /** The HTTP method. */
    method: string;
    /** The complete address. */
    url: string;
    /** The headers, by name. */
    headers: { [name: string]: string };
    /** A JSON body as a value, other text as text. */
    body?: JsonValue | undefined;
  };
  /** The answer. Omitted if there was none. */
  response?:
    | {
        /** The HTTP status. */
        status: number;
        /** The headers, by name. */
        headers: { [name: string]: string };
        /** A JSON body as a value, other text as text. Omitted for a successful answer: it is the step's output. */
        body?: JsonValue | undefined;
      }
    | undefined;
  /** A note about parts that were omitted from the record. */
  note?: string | undefined;
}

/** Body of `POST runs/:runId/cancel`. */
export interface CancelRunRequest {
  /** The reason for the run's record, at most 1,000 characters. @defaultValue none */
  reason?: string | undefined;
}
