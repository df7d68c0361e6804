import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { interceptEveryVerb } from "@procedo-testing/faults";
import type { ProcedureDocument } from "@procedo/contract";
import { createEngine, defineAction, defineIntegration, type Engine } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { SqliteStorage } from "@procedo/storage-sqlite";
import * as z from "zod";
import { databaseDigest } from "./database-digest.ts";

/** The files of a database after a kill of the process, and a digest of its content after each durable write. */
export interface RecordedHistory {
  readonly database: Uint8Array;
  /** The write-ahead log beside it. */
  readonly wal: Uint8Array;
  /** Digest of the main file's content, after which the log begins. */
  readonly before: string;
  /** The digest after each write, and the length of the log at that moment. */
  readonly states: readonly { readonly walBytes: number; readonly digest: string }[];
}

const environment = "sandbox";
const by = { person: "starter" };
const runsBefore = 3;
const runsInLog = 4;

/** Lets the engine work on a new file, with some runs checkpointed into the main file, and some in the log. */
export async function recordHistory(path: string): Promise<RecordedHistory> {
  const database = new DatabaseSync(path, { timeout: 0 });
  const observer = new DatabaseSync(path, { readOnly: true });
  const states: { walBytes: number; digest: string }[] = [];
  const note = (): void => {
    const walBytes = statSync(`${path}-wal`).size;
    if (walBytes !== states.at(-1)?.walBytes) states.push({ walBytes, digest: databaseDigest(observer) });
  };
  const storage = noting(new SqliteStorage({ database, pollMs: 0 }), note);
  const engine = createEngine({ storage, integrations: [bank], masterKey: new Uint8Array(32).fill(7) });
  await engine.start();
  await engine.procedures.publish({ document, version: "1", defaultIn: [environment], by });
  for (let run = 0; run < runsBefore; run++) await pay(engine, run);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const before = databaseDigest(observer);
  states.length = 0;
  for (let run = 0; run < runsInLog; run++) await pay(engine, run);
  // Writes are synchronous: no other write happens between these lines.
  note();
  const files = { database: readFileSync(path), wal: readFileSync(`${path}-wal`) };
  const recorded = { ...files, before, states: [...states] };
  await engine.stop();
  observer.close();
  database.close();
  return recorded;
}

/** Calls `note` after each operation, before its caller continues. */
function noting(storage: Storage, note: () => void): Storage {
  return interceptEveryVerb(storage, async (send) => {
    const result = await send();
    note();
    return result;
  });
}

const bank = defineIntegration({
  name: "bank",
  actions: {
    pay: defineAction({
      description: "Pays.",
      effect: "once",
      input: z.object({ amount: z.int() }),
      run: ({ amount }) => ({ receipt: `${amount}`.repeat(20) }),
    }),
  },
});

const document: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "history",
  name: "History",
  input: { type: "object", properties: { amount: { type: "integer" }, ask: { type: "boolean" } } },
  nodes: [
    { id: "start", kind: "start" },
    { id: "ask", kind: "condition", branches: [{ name: "yes", when: "input.ask" }], otherwise: "no" },
    { id: "approve", kind: "human_review", title: "Pay?", covers: "pay" },
    { id: "pay", kind: "tool_call", connection: "bank", action: "pay", arguments: { amount: "{{ input.amount }}" } },
    { id: "done", kind: "end", output: { receipt: "{{ nodes.pay.output.receipt }}" } },
  ],
  edges: [
    { from: "start", to: "ask" },
    { from: "ask", branch: "yes", to: "approve" },
    { from: "ask", branch: "no", to: "pay" },
    { from: "approve", to: "pay" },
    { from: "pay", to: "done" },
  ],
};

/** Every second run opens a review first. */
async function pay(engine: Engine, run: number): Promise<void> {
  const data = { amount: run + 1, ask: run % 2 === 0 };
  const { runId, status } = await engine.runs.execute({ procedureId: "history", environment, data, by });
  if (status !== "awaiting_review") return;
  await engine.reviews.decide({ environment, runId, approved: true, idempotencyKey: randomUUID(), by });
  await engine.runs.wait({ environment, runId }, { waitThroughReviews: true });
}
