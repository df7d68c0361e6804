import {
  idempotencyKeyHeaderSchema,
  ProcedoError,
  runAcceptedSchema,
  scopeQuerySchema,
  startRunRequestSchema,
  syncRunAwaitingReviewSchema,
  syncRunCompletedSchema,
  syncRunFailedSchema,
  syncRunTimeoutSchema,
  type ParsedStartRunRequest,
} from "@procedo/contract";
import type { RunOutcome, StartRequest } from "@procedo/engine";
import * as z from "zod";
import { defineOperation, reply, type ReplyOf } from "../operation.ts";
import type { Call } from "../operation-calls.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";

const outcomeSchema = z
  .discriminatedUnion("status", [syncRunCompletedSchema, syncRunFailedSchema, syncRunAwaitingReviewSchema])
  .meta({ id: "SyncRun" });

const answers = {
  200: { description: "`sync`: the run ended or paused for a review before the timeout.", schema: outcomeSchema },
  202: { description: "`async`: the run is durable and executes asynchronously.", schema: runAcceptedSchema },
  504: {
    description: "`sync`: the run neither ended nor paused for a review before the timeout. The run continues.",
    schema: syncRunTimeoutSchema,
  },
};

type StartCall = Call<{ readonly procedureId: string }, unknown, ParsedStartRunRequest>;

const starting = {
  method: "POST",
  tag: "Runs",
  permission: "run",
  query: scopeQuerySchema,
  body: { schema: startRunRequestSchema },
  headers: { "Idempotency-Key": idempotencyKeyHeaderSchema },
  answers,
  errors: ["procedure_not_found", "version_not_found", "invalid_input", "idempotency_conflict"],
} as const;

export const startRun = defineOperation({
  ...starting,
  id: "startRun",
  path: "/v1/procedures/:procedureId/:environment",
  summary: "Run a procedure",
  description:
    "In the mode `async`, the answer confirms that the run is durable. In the mode `sync`, the request is held open until the " +
    "run ends, the run pauses for a review, or the timeout passes. The run continues in any case, even if the caller " +
    "disconnects. Deleting the key ends the wait with a 401; the run still continues. An `Idempotency-Key` belongs to the " +
    "person who used it first, across all API keys of that person. Use by another person is answered with 409 and the code " +
    "`idempotency_conflict`.",
  handle: startsRun({ isManual: false }),
});

export const createRun = defineOperation({
  ...starting,
  id: "createRun",
  path: "/api/v1/procedures/:procedureId/runs",
  summary: "Run a procedure, at the address of the API",
  description:
    "Body, answers and effects are those of `POST /v1/procedures/:procedureId/:environment`, whose address may be on " +
    "another origin. An `Idempotency-Key` is the same key at both addresses. The run's record says that it was started by " +
    "hand: its `trigger` is `manual`.",
  handle: startsRun({ isManual: true }),
});

function startsRun(origin: { readonly isManual: boolean }): (call: StartCall) => Promise<ReplyOf<typeof answers>> {
  return (call) => begin(call, origin).then(({ answered }) => answered);
}

/** Starts the run. The wait for the run afterwards keeps no reference to the body, which may be collected. */
async function begin(
  call: StartCall,
  { isManual }: { readonly isManual: boolean },
): Promise<{ readonly answered: Promise<ReplyOf<typeof answers>> }> {
  const { engine, params, body, principal, environment, statusUrl, hold } = call;
  const { data, metadata, control } = body;
  const version = metadata?.procedureVersion;
  const idempotencyKey = idempotencyKeyOf(call);
  const request: StartRequest = {
    procedureId: params.procedureId,
    environment,
    data,
    by: principal,
    isManual,
    ...(version !== undefined && { version }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  if (control.executionMode === "async") {
    const accepted = underData(engine.runs.start(request)).then(({ runId }) =>
      reply(202, { runId, status: "running", statusUrl: statusUrl(runId) }),
    );
    return { answered: accepted };
  }
  const timeoutMs = control.executionTimeout;
  const signal = call.waitSignal();
  const outcome = underData(engine.runs.execute(request, { timeoutMs, signal, started: hold }));
  return { answered: outcome.then((settled) => answerOf(settled, timeoutMs, signal, statusUrl)) };
}

function answerOf(outcome: RunOutcome, timeoutMs: number, signal: AbortSignal, statusUrl: (runId: string) => string) {
  const reason = signal.aborted
    ? `The service is shutting down and stopped waiting before the timeout of ${timeoutMs} ms.`
    : `Execution exceeded the timeout of ${timeoutMs} ms.`;
  return outcomeReply(outcome, `${reason} The run continues; poll its statusUrl.`, statusUrl(outcome.runId));
}

function outcomeReply(outcome: RunOutcome, timeoutError: string, statusUrl: string) {
  const { runId } = outcome;
  switch (outcome.status) {
    case "completed": {
      const completedAt = new Date(outcome.completedAtMs).toISOString();
      return reply(200, { runId, status: outcome.status, output: outcome.output, completedAt });
    }
    case "failed": {
      const completedAt = new Date(outcome.completedAtMs).toISOString();
      return reply(200, { runId, status: outcome.status, error: outcome.error, completedAt });
    }
    case "awaiting_review":
      return reply(200, { runId, status: outcome.status, statusUrl });
    case "timeout":
      return reply(504, { runId, status: outcome.status, error: timeoutError, statusUrl });
  }
}

/** Rewrites paths of problems from the run's data, as the engine reports them, to the body that contains the data. */
async function underData<T>(starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    if (!ProcedoError.isError(error) || error.code !== "invalid_input") throw error;
    const details = error.details.map(({ path, message }) => ({ path: `/data${path}`, message }));
    throw new ProcedoError("invalid_input", error.message, { details });
  }
}
