/**
 * OpenWorkflow over its own backends. A run's input and each step's output are rows; a step's input is not stored. Its
 * worker polls every 100 ms or less often, which limits one run at a time; its handle polls for a result every second,
 * so the end is taken from the backend's own write instead.
 */
import path from "node:path";
import { type Backend, type WorkflowFunctionParams as Call, OpenWorkflow } from "openworkflow";
import { BackendPostgres } from "openworkflow/postgres";
import { BackendSqlite } from "openworkflow/sqlite";
import type { Database } from "../database.ts";
import { LARGE_AMOUNT, type PaymentInput, type ToolOutput } from "../payment.ts";
import { requireDatabase, type Session, type System, type SystemOptions } from "../system.ts";

export const openworkflowSqlite: System = {
  name: "openworkflow-sqlite",
  async open(options) {
    const file = path.join(options.directory, "openworkflow.sqlite");
    // node:sqlite uses FULL by default, and the backend does not change that.
    return sessionOf(BackendSqlite.connect(file), options, { kind: "sqlite", file });
  },
};

export const openworkflowPostgres: System = {
  name: "openworkflow-postgres",
  async open(options) {
    const url = requireDatabase(options);
    return sessionOf(await BackendPostgres.connect(url), options, { kind: "postgres", url });
  },
};

async function sessionOf(backend: Backend, options: SystemOptions, database: Database): Promise<Session> {
  const { tools, concurrency = 1 } = options;
  const ended = awaitable();
  const parked = awaitable();
  const complete = backend.completeWorkflowRun.bind(backend);
  backend.completeWorkflowRun = async (params) => {
    const completed = await complete(params);
    ended.happen(params.workflowRunId, params.output);
    return completed;
  };
  const sleep = backend.sleepWorkflowRun.bind(backend);
  backend.sleepWorkflowRun = async (params) => {
    const slept = await sleep(params);
    parked.happen(params.workflowRunId, undefined);
    return slept;
  };

  const flow = new OpenWorkflow({ backend });
  const w1 = flow.defineWorkflow({ name: "w1" }, async ({ input, step }: Call<PaymentInput>) => {
    const a = await step.run({ name: "a" }, () => tools.a({ request: input }));
    if (input.amount <= LARGE_AMOUNT) return a;
    await step.run({ name: "b" }, () => tools.b({ request: input }));
    return step.run({ name: "c" }, () => tools.c({ request: input }));
  });
  const w2 = flow.defineWorkflow({ name: "w2" }, async ({ input, run, step }: Call<PaymentInput>) => {
    await step.run({ name: "a" }, () => tools.a({ request: input }));
    await step.waitForSignal({ signal: run.id, timeout: "1d" });
    return step.run({ name: "b" }, () => tools.b({ request: input }));
  });
  const worker = flow.newWorker({ concurrency });
  await worker.start();

  return {
    database,
    async run(request) {
      const { workflowRun } = await w1.run(request);
      return (await ended.of(workflowRun.id)) as ToolOutput;
    },
    async pause(request) {
      const { workflowRun } = await w2.run(request);
      await parked.of(workflowRun.id);
      return workflowRun.id;
    },
    async resume(id) {
      const { workflowRunIds } = await flow.sendSignal({ signal: id, data: { approved: true } });
      if (workflowRunIds.length !== 1) throw new Error(`The signal reached ${workflowRunIds.length} runs.`);
      return (await ended.of(id)) as ToolOutput;
    },
    async close() {
      await worker.stop();
      await backend.stop();
    },
  };
}

/** Events that occur once, by id, in any order of occurrence and wait. */
function awaitable() {
  const things = new Map<string, PromiseWithResolvers<unknown>>();
  const thing = (id: string): PromiseWithResolvers<unknown> => {
    const known = things.get(id) ?? Promise.withResolvers<unknown>();
    things.set(id, known);
    return known;
  };
  return {
    happen: (id: string, value: unknown): void => thing(id).resolve(value),
    async of(id: string): Promise<unknown> {
      const value = await thing(id).promise;
      things.delete(id);
      return value;
    },
  };
}
