/**
 * Mastra's workflows over its own storages. One snapshot row per run is overwritten after each step: it contains each
 * step's input and output, but not its earlier versions.
 */
import path from "node:path";
import { Mastra } from "@mastra/core";
import { createStep, createWorkflow, type WorkflowResult } from "@mastra/core/workflows";
import { LibSQLStore } from "@mastra/libsql";
import { PostgresStore } from "@mastra/pg";
import * as z from "zod";
import type { Database } from "../database.ts";
import { LARGE_AMOUNT, type Tool, type ToolArguments, type ToolOutput, type Tools } from "../payment.ts";
import { requireDatabase, type Session, type System } from "../system.ts";

export const mastraLibsql: System = {
  name: "mastra-libsql",
  async open({ directory, tools }) {
    const file = path.join(directory, "mastra.db");
    const storage = new LibSQLStore({ id: "bench", url: `file:${file}` });
    await storage.init();
    return sessionOf({ tools, storage, database: { kind: "sqlite", file } });
  },
};

export const mastraPostgres: System = {
  name: "mastra-postgres",
  async open(options) {
    const url = requireDatabase(options);
    const storage = new PostgresStore({ id: "bench", connectionString: url });
    await storage.init();
    return sessionOf({ tools: options.tools, storage, database: { kind: "postgres", url } });
  },
};

/** The schemas of every step: validation is part of Mastra's usual use, narrow schemas are not. */
const anything = z.any();

function sessionOf(options: {
  readonly tools: Tools;
  readonly storage: { close(): Promise<void> };
  readonly database: Database;
}): Session {
  const { tools, storage, database } = options;
  const mastra = new Mastra({ storage, workflows: { w1: w1Workflow(tools), w2: w2Workflow(tools) }, logger: false });
  const [w1, w2] = [mastra.getWorkflow("w1"), mastra.getWorkflow("w2")];
  return {
    database,
    async run(request) {
      const run = await w1.createRun();
      return outputOf(await run.start({ inputData: { request } }));
    },
    async pause(request) {
      const run = await w2.createRun();
      const { status } = await run.start({ inputData: { request } });
      if (status !== "suspended") throw new Error(`The run is "${status}" instead of suspended.`);
      return run.runId;
    },
    async resume(runId) {
      const run = await w2.createRun({ runId });
      return outputOf(await run.resume({ step: "review", resumeData: { approved: true } }));
    },
    close: () => storage.close(),
  };
}

function outputOf({ status, result, error }: WorkflowResult): ToolOutput {
  if (status !== "success") throw new Error(`The run ended as "${status}": ${String(error)}`);
  return result as ToolOutput;
}

const step = (id: string, tool: Tool) =>
  createStep({
    id,
    inputSchema: anything,
    outputSchema: anything,
    execute: ({ getInitData }) => tool(getInitData() as ToolArguments),
  });

function w1Workflow(tools: Tools) {
  const isLarge = ({ getInitData }: { readonly getInitData: () => unknown }) =>
    Promise.resolve((getInitData() as ToolArguments).request.amount > LARGE_AMOUNT);
  return createWorkflow({ id: "w1", inputSchema: anything, outputSchema: anything })
    .then(step("a", tools.a))
    .branch([[isLarge, step("b", tools.b)]])
    .then(step("c", tools.c))
    .commit();
}

function w2Workflow(tools: Tools) {
  const review = createStep({
    id: "review",
    inputSchema: anything,
    outputSchema: anything,
    resumeSchema: anything,
    execute: async ({ resumeData, suspend, getInitData }) =>
      resumeData === undefined ? suspend(getInitData()) : resumeData,
  });
  return createWorkflow({ id: "w2", inputSchema: anything, outputSchema: anything })
    .then(step("a", tools.a))
    .then(review)
    .then(step("b", tools.b))
    .commit();
}
