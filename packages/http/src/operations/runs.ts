import {
  auditExportSchema,
  cancelRunRequestSchema,
  getRunQuerySchema,
  listRunsQuerySchema,
  ProcedoError,
  runPageSchema,
  runSchema,
  runStepSchema,
  scopeQuerySchema,
  successSchema,
  type Environment,
  type GetRunQuery,
  type Run,
} from "@procedo/contract";
import type { SizedStep, StepRecord } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import type { Call } from "../operation-calls.ts";
import { named } from "./named.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { runAnswer, runSummary } from "./run-answers.ts";
import { stepAnswer } from "./step-answer.ts";

export const pollRun = defineOperation({
  id: "pollRun",
  method: "GET",
  path: "/runs/:runId",
  tag: "Runs",
  summary: "Poll a run",
  description:
    "The current state of the run, at the address in `statusUrl`. The cost of a poll without steps does not grow with the run. " +
    "The request of a session need not name the environment: it is that of the run.",
  findsRun: "run_not_found",
  query: getRunQuerySchema,
  heavy: ({ include }) => include !== undefined,
  answers: { 200: { description: "The run.", schema: runSchema } },
  errors: ["run_not_found", "run_archived", "payload_too_large"],
  handle: async (call) => reply(200, await readRun(call)),
});

export const getRun = defineOperation({
  id: "getRun",
  method: "GET",
  path: "/api/v1/runs/:runId",
  tag: "Runs",
  summary: "Get a run",
  query: getRunQuerySchema,
  heavy: ({ include }) => include !== undefined,
  answers: { 200: { description: "The run.", schema: runSchema } },
  errors: ["run_not_found", "run_archived", "payload_too_large"],
  handle: async (call) => reply(200, await readRun(call)),
});

async function readRun(call: Call<{ readonly runId: string }, GetRunQuery>): Promise<Run> {
  const { engine, environment, params, statusUrl } = call;
  const address = { environment, runId: params.runId };
  const included = await stepsOf(call, address);
  const large = { beforeLargeRead: () => call.heavy(), onRead: call.onRead };
  const run = await engine.runs.poll(address, large);
  const review = run.status === "awaiting_review" ? await engine.reviews.open(address, large) : undefined;
  return runAnswer(run, review, { statusUrl, ...included });
}

async function stepsOf(
  { engine: { runs }, query, onRead }: Call<unknown, GetRunQuery>,
  address: { readonly environment: Environment; readonly runId: string },
): Promise<{ readonly steps?: readonly StepRecord[]; readonly timeline?: readonly SizedStep[] }> {
  switch (query.include) {
    case undefined:
      return {};
    case "timeline":
      return { timeline: await runs.timeline(address, { onRead }) };
    case "steps": {
      const { steps, archived } = await runs.get(address, { onRead });
      if (!archived) return { steps };
      const message = `Run "${address.runId}" was archived together with its steps. Request the run without steps.`;
      throw new ProcedoError("run_archived", message);
    }
  }
}

export const getRunStep = defineOperation({
  id: "getRunStep",
  method: "GET",
  path: "/api/v1/runs/:runId/steps/:nodeId/:visit",
  tag: "Runs",
  summary: "Get one step of a run",
  description: "One visit of a node in full: its input, its output, and how the output was produced.",
  query: scopeQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "The step.", schema: runStepSchema } },
  errors: ["run_not_found", "run_archived", "not_found", "payload_too_large"],
  handle: async ({ engine, environment, params, onRead }) => {
    const { runId, nodeId, visit } = params;
    // One address per step: "1e0" and "01" are other texts for 1.
    if (!/^[1-9]\d{0,14}$/.test(visit)) {
      throw new ProcedoError("not_found", "The visit at the end of the path is not a whole number from 1.");
    }
    const step = await engine.runs.step({ environment, runId, nodeId, visit: Number(visit) }, { onRead });
    return reply(200, stepAnswer(step));
  },
});

export const listRuns = defineOperation({
  id: "listRuns",
  method: "GET",
  path: "/api/v1/runs",
  tag: "Runs",
  summary: "List runs",
  description:
    "Newest first. With `q`, the run with this id comes first; the others are sorted by reference, the last one first. A page " +
    "examines a bounded number of runs: with filters, it may be short or even empty although it has a `nextCursor`.",
  query: listRunsQuerySchema,
  answers: { 200: { description: "One page of runs.", schema: runPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, query, statusUrl }) => {
    const { status, procedureId, version, startedBy, triggerId, q: search, attention, from, to } = query;
    const page = await engine.runs.list({
      environment,
      ...pageRequest(query),
      ...named({ status, procedureId, version, startedBy, triggerId, search }),
      ...(attention !== undefined && { needsAttention: true }),
      ...(from !== undefined && { fromMs: Date.parse(from) }),
      ...(to !== undefined && { toMs: Date.parse(to) }),
    });
    const rows = page.items.map((row) => ({ ...row, environment: row.scope.environment }));
    return reply(
      200,
      pageAnswer(
        page,
        rows.map((row) => runSummary(row, statusUrl)),
      ),
    );
  },
});

export const cancelRun = defineOperation({
  id: "cancelRun",
  method: "POST",
  path: "/api/v1/runs/:runId/cancel",
  tag: "Runs",
  summary: "Cancel a run",
  description: "The run ends as `failed`. A call in progress is finished first.",
  permission: "run",
  query: scopeQuerySchema,
  body: { schema: cancelRunRequestSchema, optional: true },
  answers: { 200: { description: "The run will end. No further step starts.", schema: successSchema } },
  errors: ["run_not_found", "already_ended", "invalid_input"],
  handle: async ({ engine, environment, params, principal, body }) => {
    const { reason } = body;
    await engine.runs.cancel({ environment, ...params, by: principal, ...(reason !== undefined && { reason }) });
    return reply(200, { success: true });
  },
});

export const exportRun = defineOperation({
  id: "exportRun",
  method: "GET",
  path: "/api/v1/runs/:runId/audit",
  tag: "Runs",
  summary: "Export a run's signed record",
  description: "The complete, signed record of the run. An auditor with the public key can verify it offline.",
  query: scopeQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "The export.", schema: auditExportSchema } },
  errors: ["run_not_found", "run_archived", "payload_too_large"],
  handle: async ({ engine, environment, params, onRead }) =>
    reply(200, await engine.audit.exportRun({ environment, ...params }, { onRead })),
});
