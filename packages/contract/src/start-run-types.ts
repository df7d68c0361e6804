import type { JsonObject } from "./json.ts";
import type { ExecutionMode } from "./start-run.ts";

/**
 * The types of a start request and of its answers, written out so that an editor shows the meaning of each field.
 * `start-run.ts` has the schemas; `answer-types.test-d.ts` holds both equal.
 */

/** The request as it is sent. */
export interface StartRunRequest {
  /** The run's input. It must fit the procedure's input schema, whose defaults complete it. */
  data: JsonObject;
  /** Facts about the request. @defaultValue `{}` */
  metadata?:
    | {
        /**
         * Pins the run to a published version. @defaultValue the procedure's default
         * in this environment
         */
        procedureVersion?: string | undefined;
      }
    | undefined;
  /** When the request is answered. @defaultValue `{}` */
  control?:
    | {
        /** `async` answers as soon as the run is durable; `sync` when it ends, pauses for a review, or after the timeout. @defaultValue `"async"` */
        executionMode?: ExecutionMode | undefined;
        /** Longest wait in sync mode, in milliseconds, 1,000 to 300,000. The run continues after it. @defaultValue 60000 */
        executionTimeout?: number | undefined;
      }
    | undefined;
}

/** Answer to a start request in async mode: the run is durable. */
export interface RunAccepted {
  /** Identifier of the run. */
  runId: string;
  status: "running";
  /** Address of the run's current state. */
  statusUrl: string;
}

/** Every answer to a start request with `executionMode: "sync"` that is not an error body. */
export type SyncRunReply =
  | {
      /** Identifier of the run. */
      runId: string;
      status: "completed";
      /** Output of the run. */
      output: JsonObject;
      /** Time of the end, ISO 8601. */
      completedAt: string;
    }
  | {
      /** Identifier of the run. */
      runId: string;
      status: "failed";
      /** Why the run failed; the reason of a rejected review. */
      error: string;
      /** Time of the end, ISO 8601. */
      completedAt: string;
    }
  | {
      /** Identifier of the run. */
      runId: string;
      status: "awaiting_review";
      /** Address of the run's current state. */
      statusUrl: string;
    }
  | {
      /** Identifier of the run. */
      runId: string;
      status: "timeout";
      /** States the timeout that the run exceeded. The run continues. */
      error: string;
      /** Address of the run's current state. */
      statusUrl: string;
    };

/** Every answer to a start request that is not an error body. */
export type RunReply = RunAccepted | SyncRunReply;
