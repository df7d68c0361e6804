import {
  auditExportSchema,
  cancelRunRequestSchema,
  getRunQuerySchema,
  listRunsQuerySchema,
  ProcedoError,
  runPageSchema,
  runSchema,
  scopeQuerySchema,
  successSchema,
  type GetRunQuery,
  type Run,
} from "@procedo/contract";
import { defineOperation, reply, type Call } from "../operation.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { runAnswer, runSummary } from "./run-answers.ts";

export const pollRun = defineOperation({
  id: "pollRun",
  method: "GET",
  path: "/runs/:runId",
  tag: "Runs",
  summary: "Poll a run",
  description: "The run's current state: what a `statusUrl` leads to.",
  query: getRunQuerySchema,
  answers: { 200: { description: "The run.", schema: runSchema } },
  errors: ["run_not_found", "run_archived"],
  handle: async (call) => reply(200, await readRun(call)),
});

export const getRun = defineOperation({
  id: "getRun",
  method: "GET",
  path: "/api/v1/runs/:runId",
  tag: "Runs",
  summary: "Get a run",
  query: getRunQuerySchema,
  answers: { 200: { description: "The run.", schema: runSchema } },
  errors: ["run_not_found", "run_archived"],
  handle: async (call) => reply(200, await readRun(call)),
});

async function readRun(call: Call<{ readonly runId: string }, GetRunQuery>): Promise<Run> {
  const { engine, environment, params, query, statusUrl } = call;
  const address = { environment, runId: params.runId };
  const run = await engine.runs.get(address);
  // The run's journal says what was asked, and storage whether somebody has decided since.
  const reviews = run.status === "awaiting_review" ? await engine.reviews.ofRun(address) : [];
  const openReview = reviews.find(({ status }) => status === "open");
  if (run.archived && query.include === "steps") {
    throw new ProcedoError("run_archived", `Run "${run.runId}" was archived, and its steps with it. Ask without them.`);
  }
  return runAnswer(run, openReview, { withSteps: query.include === "steps", statusUrl });
}

export const listRuns = defineOperation({
  id: "listRuns",
  method: "GET",
  path: "/api/v1/runs",
  tag: "Runs",
  summary: "List runs",
  description: "Newest first.",
  query: listRunsQuerySchema,
  answers: { 200: { description: "One page of runs.", schema: runPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, query, statusUrl }) => {
    const { status, procedureId, from, to } = query;
    const page = await engine.runs.list({
      environment,
      ...pageRequest(query),
      ...(status !== undefined && { status }),
      ...(procedureId !== undefined && { procedureId }),
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
  description: "The run ends as `failed`. A call that is under way is answered first.",
  permission: "run",
  query: scopeQuerySchema,
  body: { schema: cancelRunRequestSchema, optional: true },
  answers: { 200: { description: "The run will end, and nothing more is begun.", schema: successSchema } },
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
  description: "Everything that the run did, signed: an auditor with the public key verifies it offline.",
  query: scopeQuerySchema,
  answers: { 200: { description: "The export.", schema: auditExportSchema } },
  errors: ["run_not_found", "run_archived"],
  handle: async ({ engine, environment, params }) =>
    reply(200, await engine.audit.exportRun({ environment, ...params })),
});
