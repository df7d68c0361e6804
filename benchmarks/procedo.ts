/** Procedo in an embedding application: the engine over a storage, with the tools as an integration defined in code. */
import { randomUUID } from "node:crypto";
import { createEngine, defineIntegration, type RunOutcome } from "@procedo/engine";
import * as z from "zod";
import type { PaymentInput, Tool, ToolOutput, Tools } from "./payment.ts";
import { CONNECTION, w1Document, w2Document } from "./procedo-documents.ts";
import { openStorage, type OpenStorage } from "./procedo-storage.ts";
import { requireDatabase, type Session, type System } from "./system.ts";

const starter = { person: "alice" };
const reviewer = { person: "bob" };
const environment = "sandbox";

export const procedoSqlite: System = {
  name: "procedo-sqlite",
  open: async ({ directory, tools }) => sessionOver(await openStorage({ directory }), tools),
};

export const procedoPostgres: System = {
  name: "procedo-postgres",
  open: async (options) =>
    sessionOver(await openStorage({ ...options, databaseUrl: requireDatabase(options) }), options.tools),
};

/** Starts an engine and publishes both workloads' documents; closing also ends the storage. */
export async function sessionOver({ storage, database }: OpenStorage, tools: Tools): Promise<Session> {
  const engine = createEngine({
    storage,
    integrations: [integrationOf(tools)],
    masterKey: new Uint8Array(32).fill(7),
    log: { info: () => {}, warn: console.warn, error: console.error },
  });
  await engine.start();
  for (const document of [w1Document, w2Document]) {
    await engine.procedures.publish({ document, version: "v1", defaultIn: [environment], by: starter });
  }
  const execute = (procedureId: string, input: PaymentInput) =>
    engine.runs.execute({ procedureId, environment, data: { ...input }, by: starter });

  return {
    database,
    run: async (input) => resultOf(await execute(w1Document.procedureId, input)),

    async pause(input) {
      const outcome = await execute(w2Document.procedureId, input);
      if (outcome.status !== "awaiting_review") throw notAt("a review", outcome);
      return outcome.runId;
    },

    async resume(runId) {
      const idempotencyKey = randomUUID();
      await engine.reviews.decide({ environment, runId, approved: true, idempotencyKey, by: reviewer });
      return resultOf(await engine.runs.wait({ environment, runId }));
    },

    async close() {
      await engine.stop();
      await storage.close();
    },
  };
}

/** The same three functions as in the ceiling, declared as in an application: typed, checked, sent at most once. */
export function integrationOf(tools: Tools) {
  const request = z.object({
    vendorId: z.string(),
    amount: z.int(),
    currency: z.string(),
    invoice: z.object({ number: z.string(), issuedOn: z.string(), dueOn: z.string() }),
    remittance: z.string(),
    costCentre: z.string(),
  });
  return defineIntegration({
    name: CONNECTION,
    actions: ({ defineAction }) => {
      const action = (tool: Tool) =>
        defineAction({
          description: "A tool of the workload",
          input: z.object({ request }),
          output: z.object({ id: z.string(), status: z.string(), detail: z.string() }),
          effect: "once",
          run: (args) => tool(args),
        });
      return { a: action(tools.a), b: action(tools.b), c: action(tools.c) };
    },
  });
}

const output = z.object({ result: z.object({ id: z.string(), status: z.string(), detail: z.string() }) });

function resultOf(outcome: RunOutcome): ToolOutput {
  if (outcome.status !== "completed") throw notAt("its end", outcome);
  return output.parse(outcome.output).result;
}

function notAt(place: string, outcome: RunOutcome): Error {
  const error = outcome.status === "failed" ? `: ${outcome.error}` : "";
  return new Error(`Run ${outcome.runId} is "${outcome.status}" instead of being at ${place}${error}.`);
}
