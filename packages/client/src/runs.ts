import {
  checkOptionNames,
  type OptionNames,
  type Page,
  type PageQuery,
  ProcedoError,
  type Run,
  type RunStatus,
  type RunStep,
  type RunSummary,
  runPageSchema,
  runSchema,
  runStepSchema,
  successSchema,
} from "@procedo/contract";
import type { CheckedOptions } from "./client-options.ts";
import { itemsOf } from "./list-pages.ts";
import { pathSegment } from "./request-json.ts";
import type { Runtime } from "./runtime.ts";
import type { Service } from "./service.ts";
import { waitForRun, type WaitOptions } from "./wait-for-run.ts";

/** Options of {@link Runs.get}. */
export interface GetRunOptions {
  /**
   * Whether to include the steps with inputs and outputs, up to 32 MiB for a long run.
   *
   * @defaultValue `false`
   */
  readonly steps?: boolean;
  /**
   * Whether to include the steps with the sizes of inputs, outputs and conversations instead of their contents. Cannot be
   * combined with `steps`.
   *
   * @defaultValue `false`
   */
  readonly timeline?: boolean;
  /** Ends the request early. @defaultValue none */
  readonly signal?: AbortSignal;
}

/** Which runs to list; all filters have to fit. */
export interface RunFilter {
  /** Only runs of this status, or of one of these. @defaultValue any status */
  readonly status?: RunStatus | readonly RunStatus[];
  /** Only runs of this procedure. @defaultValue any procedure */
  readonly procedureId?: string;
  /** Only runs of this version. @defaultValue any version */
  readonly version?: string;
  /** Only runs that this person started. @defaultValue any person */
  readonly startedBy?: string;
  /** Only runs that this trigger started. @defaultValue any start */
  readonly triggerId?: string;
  /**
   * Only the run with exactly this id, and runs whose reference begins with this text; upper and lower case differ. The
   * run with the id comes first; the others are sorted by reference, the last one first. @defaultValue any run
   */
  readonly q?: string;
  /** Created at or after, ISO 8601. */
  readonly from?: string;
  /** Created before, ISO 8601. */
  readonly to?: string;
}

/** Which page of a list. */
export interface PageOptions extends Pick<PageQuery, "limit" | "cursor"> {
  /** Ends the request early. @defaultValue none */
  readonly signal?: AbortSignal;
}

const getNames = { steps: true, timeline: true, signal: true } satisfies OptionNames<GetRunOptions>;
const waitNames = { timeoutMs: true, waitThroughReviews: true, signal: true } satisfies OptionNames<WaitOptions>;
const stepNames = { signal: true } as const;
const cancelNames = { reason: true, signal: true } as const;
const listNames = {
  status: true,
  procedureId: true,
  version: true,
  startedBy: true,
  triggerId: true,
  q: true,
  from: true,
  to: true,
  limit: true,
  cursor: true,
  signal: true,
} satisfies OptionNames<RunFilter & PageOptions>;

/** Existing runs of the key's environment. */
export interface Runs {
  /**
   * A run with its status, and its output, error or open review.
   *
   * @throws ProcedoError `run_not_found`, also for a run of the other environment; `malformed_request` when both `steps` and
   *   `timeline` are requested
   */
  get(runId: string, options?: GetRunOptions): Promise<Run>;
  /**
   * Returns one step with its complete input and output.
   *
   * @param visit - which visit of the node, from 1
   * @throws ProcedoError `run_not_found`, `run_archived`; `not_found` if the run did not reach that visit
   */
  step(runId: string, nodeId: string, visit: number, options?: { readonly signal?: AbortSignal }): Promise<RunStep>;
  /**
   * Waits until the run has ended or waits for a decision, and returns it. A temporary outage of the service
   * does not end the wait.
   *
   * @throws ProcedoError `run_not_found`, `upstream_unreachable` when the first poll fails; the signal's reason
   */
  wait(runId: string, options?: WaitOptions): Promise<Run>;
  /**
   * Cancels the run, which ends as failed. The answer to a call under way is awaited first; wait for the end with
   * {@link Runs.wait}.
   *
   * @throws ProcedoError `run_not_found`, `already_ended`
   */
  cancel(runId: string, options?: { readonly reason?: string; readonly signal?: AbortSignal }): Promise<void>;
  /** One page, newest first unless `q` is given. */
  list(query?: RunFilter & PageOptions): Promise<Page<RunSummary>>;
  /** Every run that fits, page by page while you iterate. */
  all(filter?: RunFilter & Pick<PageOptions, "signal">): AsyncIterable<RunSummary>;
}

export function createRuns(service: Service, options: CheckedOptions, runtime: Runtime): Runs {
  const { runnerUrl, apiUrl } = options;
  const get: Runs["get"] = (runId, given = {}) => {
    checkOptionNames("runs.get", getNames, given);
    const { steps = false, timeline = false, signal } = given;
    if (steps && timeline) {
      throw new ProcedoError("malformed_request", "Ask for steps or for the timeline, not for both at once.");
    }
    const url = `${runnerUrl}/runs/${pathSegment("run id", runId)}`;
    const include = steps ? "steps" : timeline ? "timeline" : undefined;
    return service({ method: "GET", url, query: { include }, signal }, runSchema);
  };
  const list: Runs["list"] = async (given = {}) => {
    checkOptionNames("runs.list", listNames, given);
    const { signal, status, ...filter } = given;
    const query = { ...filter, status: typeof status === "object" ? status.join(",") : status };
    return service({ method: "GET", url: `${apiUrl}/runs`, query, signal }, runPageSchema);
  };
  return {
    get: async (...given) => get(...given),
    step: async (runId, nodeId, visit, given = {}) => {
      checkOptionNames("runs.step", stepNames, given);
      const { signal } = given;
      const run = `${apiUrl}/runs/${pathSegment("run id", runId)}`;
      const url = `${run}/steps/${pathSegment("node id", nodeId)}/${pathSegment("visit", String(visit))}`;
      return service({ method: "GET", url, signal }, runStepSchema);
    },
    list,
    all: (filter) => itemsOf((cursor) => list({ ...filter, ...(cursor !== undefined && { cursor }), limit: 100 })),
    wait: async (runId, wait = {}) => {
      checkOptionNames("runs.wait", waitNames, wait);
      return waitForRun(
        async () => get(runId, wait.signal === undefined ? {} : { signal: wait.signal }),
        wait,
        runtime,
      );
    },
    cancel: async (runId, given = {}) => {
      checkOptionNames("runs.cancel", cancelNames, given);
      const { reason, signal } = given;
      const url = `${apiUrl}/runs/${pathSegment("run id", runId)}/cancel`;
      await service({ method: "POST", url, json: { ...(reason !== undefined && { reason }) }, signal }, successSchema);
    },
  };
}
