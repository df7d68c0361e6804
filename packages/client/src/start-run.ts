import {
  checkOptionNames,
  idempotencyKeyHeaderSchema,
  type OptionNames,
  ProcedoError,
  type RunAccepted,
  runAcceptedSchema,
  type SyncRunReply,
  executionTimeoutMs as executionTimeout,
  syncRunReplySchema,
  type StartRunRequest,
} from "@procedo/contract";
import type { CheckedOptions } from "./client-options.ts";
import { pathSegment } from "./request-json.ts";
import type { Runtime } from "./runtime.ts";
import type { Service, ServiceRequest } from "./service.ts";

/** Input and options of a run. */
export interface StartRequest<Input extends object> {
  /** The procedure's input; it has to fit the procedure's input schema, whose defaults complete it. */
  readonly data: Input;
  /**
   * Pins the run to a published version.
   *
   * @defaultValue the procedure's default in the key's environment
   */
  readonly version?: string;
  /**
   * The same key and data is the same run, for 30 days and the person who used the key first: another person's API key is
   * answered `idempotency_conflict`. Give one that your system keeps, such as an invoice's id, so that
   * also a process that starts anew makes one run. 1 to 255 visible ASCII characters.
   *
   * @defaultValue a fresh one for each call, which covers the repetitions that the client makes by itself
   */
  readonly idempotencyKey?: string;
  /** Ends the request early. The run may have been started. @defaultValue none */
  readonly signal?: AbortSignal;
}

/** Input and options of a run, and how long to wait for its end. */
export interface RunRequest<Input extends object> extends StartRequest<Input> {
  /**
   * How long the service holds the request, 1 000 to 300 000 milliseconds. The run continues afterwards.
   *
   * @defaultValue 60 000
   */
  readonly executionTimeoutMs?: number;
}

const startNames = {
  data: true,
  version: true,
  idempotencyKey: true,
  signal: true,
} satisfies OptionNames<StartRequest<object>>;

const runNames = { ...startNames, executionTimeoutMs: true } satisfies OptionNames<RunRequest<object>>;

/** Starting runs, as the Runner API has it. */
export interface RunStarter {
  start(procedureId: string, request: StartRequest<object>): Promise<RunAccepted>;
  run(procedureId: string, request: RunRequest<object>): Promise<SyncRunReply>;
}

export function createRunStarter(service: Service, options: CheckedOptions, runtime: Runtime): RunStarter {
  const { runnerUrl, environment } = options;
  const requestOf = (
    procedureId: string,
    { data, version, idempotencyKey = runtime.newId(), signal }: StartRequest<object>,
    control: StartRunRequest["control"],
  ): ServiceRequest => ({
    method: "POST",
    url: `${runnerUrl}/v1/procedures/${pathSegment("procedure id", procedureId)}/${environment}`,
    headers: { "idempotency-key": checkKey(idempotencyKey) },
    json: { data, control, ...(version !== undefined && { metadata: { procedureVersion: version } }) },
    signal,
  });
  return {
    start: async (procedureId, request) => {
      checkOptionNames("start", startNames, request);
      return service(requestOf(procedureId, request, { executionMode: "async" }), runAcceptedSchema);
    },
    run: async (procedureId, given) => {
      checkOptionNames("run", runNames, given);
      const { executionTimeoutMs = executionTimeout.default, ...request } = given;
      const control = { executionMode: "sync", executionTimeout: executionTimeoutMs } as const;
      const sent = requestOf(procedureId, request, control);
      return service({ ...sent, holdMs: executionTimeoutMs }, syncRunReplySchema);
    },
  };
}

function checkKey(key: string): string {
  if (idempotencyKeyHeaderSchema.safeParse(key).success) return key;
  throw new ProcedoError("malformed_request", "idempotencyKey must be 1 to 255 visible ASCII characters.");
}
