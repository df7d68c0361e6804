import {
  checkOptionNames,
  type OptionNames,
  type Page,
  type PageQuery,
  type Run,
  type RunStatus,
  type RunSummary,
  runPageSchema,
  runSchema,
  successSchema,
} from "@procedo/contract";
import type { CheckedOptions } from "./client-options.ts";
import { itemsOf } from "./list-pages.ts";
import { pathSegment } from "./request-json.ts";
import type { Runtime } from "./runtime.ts";
import type { Service } from "./service.ts";
import { waitForRun, type WaitOptions } from "./wait-for-run.ts";

export interface GetRunOptions {
  /**
   * Whether to bring the steps with their inputs and outputs.
   *
   * @defaultValue `false`
   */
  readonly steps?: boolean;
  readonly signal?: AbortSignal;
}

/** Which runs to list; all filters have to fit. */
export interface RunFilter {
  readonly status?: RunStatus;
  readonly procedureId?: string;
  /** Created at or after, ISO 8601. */
  readonly from?: string;
  /** Created before, ISO 8601. */
  readonly to?: string;
}

/** Which page of a list. */
export interface PageOptions extends Pick<PageQuery, "limit" | "cursor"> {
  readonly signal?: AbortSignal;
}

const getNames = { steps: true, signal: true } satisfies OptionNames<GetRunOptions>;
const waitNames = { timeoutMs: true, throughReviews: true, signal: true } satisfies OptionNames<WaitOptions>;
const cancelNames = { reason: true, signal: true } as const;
const listNames = {
  status: true,
  procedureId: true,
  from: true,
  to: true,
  limit: true,
  cursor: true,
  signal: true,
} satisfies OptionNames<RunFilter & PageOptions>;

/** Runs that exist, of the key's environment. */
export interface Runs {
  /** @throws ProcedoError `run_not_found`, also for a run of the other environment */
  get(runId: string, options?: GetRunOptions): Promise<Run>;
  /**
   * Waits until the run has ended or waits for a decision, and returns it. A service that is away for a while is waited
   * for.
   *
   * @throws ProcedoError `run_not_found`, `outgoing_failed` when the first poll fails; the signal's reason
   */
  wait(runId: string, options?: WaitOptions): Promise<Run>;
  /**
   * Has the run end as failed. A call that is under way is answered first, so {@link Runs.wait} for the end.
   *
   * @throws ProcedoError `run_not_found`, `already_ended`
   */
  cancel(runId: string, options?: { readonly reason?: string; readonly signal?: AbortSignal }): Promise<void>;
  /** One page, newest first. */
  list(query?: RunFilter & PageOptions): Promise<Page<RunSummary>>;
  /** Every run that fits, page by page while you iterate. */
  all(filter?: RunFilter & Pick<PageOptions, "signal">): AsyncIterable<RunSummary>;
}

export function createRuns(service: Service, options: CheckedOptions, runtime: Runtime): Runs {
  const { runnerUrl, apiUrl } = options;
  const get: Runs["get"] = (runId, given = {}) => {
    checkOptionNames("runs.get", getNames, given);
    const { steps = false, signal } = given;
    return service(
      {
        method: "GET",
        url: `${runnerUrl}/runs/${pathSegment("run id", runId)}`,
        query: { include: steps ? "steps" : undefined },
        signal,
      },
      runSchema,
    );
  };
  const list: Runs["list"] = async (given = {}) => {
    checkOptionNames("runs.list", listNames, given);
    const { signal, ...query } = given;
    return service({ method: "GET", url: `${apiUrl}/runs`, query, signal }, runPageSchema);
  };
  return {
    get: async (...given) => get(...given),
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
