import { storageUnavailable } from "@procedo-testing/faults";
import type { JsonObject } from "@procedo/contract";
import { ProcedoError } from "@procedo/engine";
import type { Entry } from "@procedo/procedure";
import type { Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes, says, toolOf, type ModelBehaviour, type PlannedModel } from "./agent-model.ts";
import { alice, bob, createHarness, uuid, type Harness, type HarnessEngine } from "./harness.ts";
import { call, end, procedure } from "./documents.ts";

/** A run with everything that an agent can do: a question, a repair, an unsure answer, a guard, several calls. */
const everything = procedure(
  [
    {
      id: "topic",
      kind: "condition",
      question: "What is it about?",
      branches: [{ name: "money" }, { name: "nothing" }],
      confidence: { atLeast: 0.8, otherwise: "review" },
    },
    call("pay", "pay", {
      instructions: "Pay.",
      arguments: { to: "acme" },
      guards: [{ check: "args.amount < 100", otherwise: "review" }],
      timeoutMs: 1_000,
    }),
    call("note", "once", { instructions: "Note it.", maxCalls: 3, timeoutMs: 1_000 }),
    end("nothing"),
  ],
  {
    edges: ["start > topic", "topic:money > pay", "topic:nothing > nothing", "pay > note", "note > done"],
    output: { note: "{{ nodes.note.output }}" },
  },
);

/** Each reply of the model follows from the conversation alone, in any engine. */
const replies: { readonly [tool: string]: readonly ModelBehaviour[] } = {
  answer: [says("Money, I think."), proposes({ branch: "money", reason: "It says so.", confidence: 0.5 })],
  pay: [proposes({ amount: "5000" }), proposes({ amount: 5_000 })],
  once: [proposes({ text: "a" }), proposes({ text: "b" }), says("Noted.")],
};

/** The tool and the number of a request's turn. */
function turnOf(options: PlannedModel["requests"][number]): string {
  return `${toolOf(options).name} ${options.prompt.filter(({ role }) => role === "assistant").length + 1}`;
}

const allTurns = Object.entries(replies).flatMap(([tool, turns]) =>
  turns.map((_turn, index) => `${tool} ${index + 1}`),
);

interface World {
  readonly harness: Harness;
  readonly model: PlannedModel;
}

async function createWorld(openStorage: (now: () => number) => Storage | Promise<Storage>): Promise<World> {
  const model = plannedModel();
  model.plan(async (options) => {
    const [tool, turn] = turnOf(options).split(" ");
    const reply = replies[tool ?? ""]?.[Number(turn) - 1];
    if (reply === undefined) throw new Error(`Unexpected request for ${turnOf(options)}.`);
    return await reply(options);
  });
  const models = { arguments: { model }, questions: { model } };
  const harness = await createHarness({ models, worker: { leaseMs: 1_000, sendWindowMs: 500 }, openStorage });
  await harness.publish(everything);
  return { harness, model };
}

/** Lets an engine work until the run has ended, and decides its reviews; `crashed` once its storage is unavailable. */
async function drive({ harness }: World, engine: HarnessEngine, runId: string): Promise<"ended" | "crashed"> {
  for (let round = 0; round < 500; round++) {
    // Work of storage outside of this clock takes real time.
    await new Promise((resolve) => setTimeout(resolve, 1));
    await harness.clock.advance(200);
    try {
      const { status } = await engine.runs.get({ environment: "sandbox", runId });
      if (status === "completed" || status === "failed") return "ended";
      if (status === "awaiting_review") await answer(harness, engine, runId);
    } catch (error) {
      if (!ProcedoError.isError(error)) throw error;
      if (error.code === "storage_unavailable") return "crashed";
      if (!["already_decided", "review_not_found", "too_early"].includes(error.code)) throw error;
    }
  }
  throw new Error("The run did not come to its end.");
}

/** Decides the review of an unknown outcome by the bank's record of the call. */
async function answer(harness: Harness, engine: HarnessEngine, runId: string): Promise<void> {
  const open = (await engine.reviews.ofRun({ environment: "sandbox", runId })).find(({ status }) => status === "open");
  if (open === undefined) return;
  const made = harness.bank.calls.find(({ context }) => context.idempotencyKey === open.data["idempotencyKey"]);
  const outputs: JsonObject | undefined = made === undefined ? undefined : { id: "made before" };
  const decision = { approved: true, idempotencyKey: uuid(), reviewId: open.reviewId, ...(outputs && { outputs }) };
  await engine.reviews.decide({ environment: "sandbox", runId, by: bob, ...decision });
}

/** Counts the rows that an engine writes, and makes its storage unavailable at one of them. */
function cutAt({ way }: HarnessEngine, row: number, lost: "row" | "answer"): () => number {
  let rows = 0;
  const write = async (work: () => Promise<unknown>): Promise<unknown> => {
    rows += 1;
    if (rows !== row) return await work();
    if (lost === "answer") await work();
    way.cut();
    throw storageUnavailable();
  };
  way.on("runs.commit", write);
  way.on("reviews.decide", async (work, request) => {
    const brings = typeof request === "object" && request !== null && "next" in request && request.next !== undefined;
    return await (brings ? write(work) : work());
  });
  return () => rows;
}

async function startIn({ harness }: World): Promise<string> {
  const start = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;
  const started = await harness.engine.runs.start(start).catch(() => undefined);
  if (started !== undefined) return started.runId;
  // No caller knows the run, but it may exist.
  const [run] = (await harness.storage.runs.list({ scope: { workspace: "default", environment: "sandbox" }, limit: 1 }))
    .items;
  return run?.runId ?? "";
}

const expected = {
  note: {
    calls: [{ arguments: { text: "a" } }, { arguments: { text: "b" } }],
    text: "Noted.",
  },
};

/**
 * Interrupts a run at each row that it writes, and lets another engine on the same storage complete it: no model that
 * has answered is asked again, and no call is made twice.
 */
export function agentReloads(openStorage: (now: () => number) => Storage | Promise<Storage>): void {
  describe("an engine that stops while its agent works", () => {
    test("sends each turn once if no fault occurs", async () => {
      const world = await createWorld(openStorage);
      const runId = await startIn(world);
      expect(await drive(world, world.harness.engine, runId)).toBe("ended");
      expect(await world.harness.read(runId)).toMatchObject({ status: "completed", output: expected });
      expect(world.model.requests.map(turnOf)).toEqual(allTurns);
      expect(world.harness.bank.calls).toHaveLength(3);
    });

    test.each(["answer", "row"] as const)(
      "at any row, with the %s lost, repeats no answered turn and no call",
      async (lost) => {
        for (let row = 1; ; row++) {
          const world = await createWorld(openStorage);
          const { harness, model } = world;
          const rows = cutAt(harness.engine, row, lost);
          const runId = await startIn(world);
          if (runId === "") {
            expect([row, lost]).toEqual([1, "row"]);
            continue;
          }
          if ((await drive(world, harness.engine, runId)) === "ended" && rows() < row) {
            expect(row).toBeGreaterThan(12);
            return;
          }
          const asked = model.requests.map(turnOf);
          const successor = await harness.addEngine({ started: false });
          const before = answeredIn(await entriesIn(successor, runId));
          await successor.start();
          expect(await drive(world, successor, runId)).toBe("ended");
          const run = await successor.runs.get({ environment: "sandbox", runId });
          expect(run).toMatchObject({ status: "completed", output: expected });
          expect(answeredIn(await entriesIn(successor, runId))).toEqual(allTurns);
          const after = model.requests.slice(asked.length).map(turnOf);
          expect(after, `row ${row}`).toEqual(allTurns.slice(before.length));
          // A reply whose row was lost does not count.
          expect(asked.slice(0, before.length), `row ${row}`).toEqual(before);
          expect(asked.length - before.length, `row ${row}`).toBeLessThanOrEqual(lost === "row" ? 1 : 0);
          const keys = harness.bank.calls.map(({ context }) => context.idempotencyKey);
          expect(new Set(keys).size, `row ${row}`).toBe(3);
          expect(keys, `row ${row}`).toHaveLength(3);
        }
      },
    );
  });
}

async function entriesIn(engine: HarnessEngine, runId: string): Promise<readonly Entry[]> {
  const rows = await engine.runs.journal({ environment: "sandbox", runId });
  return rows.flatMap(({ entries }) => entries);
}

/** The turns with a reply in the journal. */
function answeredIn(entries: readonly Entry[]): readonly string[] {
  const tools: { readonly [nodeId: string]: string } = { topic: "answer", pay: "pay", note: "once" };
  return entries.flatMap((entry) =>
    entry.type === "replied" && entry.result.status === "ok" ? [`${tools[entry.nodeId]} ${entry.turn}`] : [],
  );
}
