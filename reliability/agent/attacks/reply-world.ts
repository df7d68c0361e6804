import { createEngine, defineIntegration, type Engine } from "@procedo/engine";
import type { ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import * as z from "zod";
import type { Model, ModelAnswer, ModelOptions } from "../model-types.ts";
import { dataOf } from "../prompt-data.ts";

/** The task of an agent: the arguments of a payment, several payments in turn, or an answer. */
export const replyKinds = ["payment", "payments", "question"] as const;
export type ReplyKind = (typeof replyKinds)[number];

export const maxReference = 140;

/** The model's replies: the same one each time, or one for each turn. */
export type Replies = (turn: number, options: ModelOptions) => ModelAnswer;

export interface RepliedRun {
  readonly runId: string;
  readonly status: string;
  /** The error of a failed run. */
  readonly error: string;
  /** The branch that a question took. */
  readonly branch: string | undefined;
  /** The arguments of the calls. */
  readonly calls: readonly object[];
  /** The texts of its journal. */
  readonly bytes: number;
}

/** An engine in memory, with a model that returns the replies of a test. */
export interface ReplyWorld {
  readonly engine: Engine;
  run(kind: ReplyKind, replies: Replies): Promise<RepliedRun>;
  /** The quarantined runs. */
  quarantined(): Promise<number>;
  close(): Promise<void>;
}

const environment = "sandbox";
const by = { person: "alice" };

export async function createReplyWorld({ streaming = false } = {}): Promise<ReplyWorld> {
  const scripts = new Map<number, Replies>();
  const calls = new Map<string, object[]>();
  const storage = createMemoryStorage({ now: Date.now });
  const model = { model: modelOf(scripts), streaming };
  const engine = createEngine({
    storage,
    integrations: [bankOf(calls)],
    masterKey: new Uint8Array(32).fill(7),
    models: { arguments: model, questions: model },
  });
  await engine.start();
  for (const kind of replyKinds) {
    await engine.procedures.publish({ document: documentOf(kind), version: "1", defaultIn: [environment], by });
  }
  return {
    engine,
    run: async (kind, replies) => {
      const number = scripts.size;
      scripts.set(number, replies);
      const { runId } = await engine.runs.start({ procedureId: kind, environment, data: { number }, by });
      await engine.runs.wait({ environment, runId });
      return await readRun(engine, storage, runId, calls.get(runId) ?? []);
    },
    quarantined: () => Promise.resolve(engine.runs.quarantinedRuns().length),
    close: () => engine.stop({ drainMs: 0 }),
  };
}

async function readRun(engine: Engine, storage: Storage, runId: string, calls: readonly object[]): Promise<RepliedRun> {
  const { status, error, steps } = await engine.runs.get({ environment, runId });
  const journal = await storage.runs.journal({ scope: { workspace: "default", environment }, runId });
  const output = steps.find(({ kind }) => kind === "condition")?.output;
  const named = typeof output === "object" && output !== null && "branch" in output ? output.branch : undefined;
  const branch = typeof named === "string" ? named : undefined;
  const bytes = journal.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  return { runId, status, error: error ?? "", branch, calls, bytes };
}

function modelOf(scripts: ReadonlyMap<number, Replies>): Model {
  const answer = (options: ModelOptions): ModelAnswer => {
    const { input } = dataOf(options.prompt) as { readonly input: { readonly number: number } };
    const turn = options.prompt.filter(({ role }) => role === "assistant").length + 1;
    const replies = scripts.get(input.number);
    if (replies === undefined) throw new Error("The test gave no reply.");
    return replies(turn, options);
  };
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted-1",
    supportedUrls: {},
    doGenerate: (options) => Promise.resolve(answer(options)),
    doStream: (options) => Promise.resolve({ stream: ReadableStream.from(partsOf(answer(options))) }),
  };
}

type StreamPart = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** A long text comes in many pieces. */
const pieceLength = 64 * 1024;

function* partsOf({ content, finishReason, usage }: ModelAnswer): Generator<StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const [index, part] of content.entries()) {
    const id = String(index);
    if (part.type === "text") {
      yield { type: "text-start", id };
      for (let at = 0; at < part.text.length; at += pieceLength) {
        yield { type: "text-delta", id, delta: part.text.slice(at, at + pieceLength) };
      }
      yield { type: "text-end", id };
    } else {
      if (part.type === "tool-call" && typeof part.input === "string") {
        yield { type: "tool-input-start", id, toolName: part.toolName };
        for (let at = 0; at < part.input.length; at += pieceLength) {
          yield { type: "tool-input-delta", id, delta: part.input.slice(at, at + pieceLength) };
        }
        yield { type: "tool-input-end", id };
      }
      yield part as StreamPart;
    }
  }
  yield { type: "finish", finishReason, usage };
}

function bankOf(calls: Map<string, object[]>) {
  return defineIntegration({
    name: "bank",
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Pays.",
        effect: "once",
        input: z.object({
          amount: z.int().min(1),
          reference: z.string().max(maxReference),
          lines: z.array(z.unknown()).optional(),
          vendorId: z.string(),
        }),
        run: (body, { run: { runId } }) => {
          calls.set(runId, [...(calls.get(runId) ?? []), body]);
          return { paid: body.amount };
        },
      }),
    }),
  });
}

function documentOf(kind: ReplyKind): ProcedureDocument {
  const nodes: readonly ProcedureNode[] =
    kind === "question"
      ? [{ id: "ask", kind: "condition", question: "Is it due?", branches: [{ name: "pay" }, { name: "stop" }] }]
      : [
          {
            id: "ask",
            kind: "tool_call",
            connection: "bank",
            action: "pay",
            instructions: "Pay.",
            arguments: { vendorId: "ven_acme" },
            ...(kind === "payments" && { maxCalls: 3 }),
          },
        ];
  return {
    schemaVersion: 1,
    procedureId: kind,
    name: kind,
    input: { type: "object" },
    nodes: [{ id: "start", kind: "start" }, ...nodes, { id: "done", kind: "end" }, { id: "other", kind: "end" }].filter(
      ({ id }) => kind === "question" || id !== "other",
    ) as ProcedureDocument["nodes"],
    edges: [
      { from: "start", to: "ask" },
      ...(kind === "question"
        ? [
            { from: "ask", to: "done", branch: "pay" },
            { from: "ask", to: "other", branch: "stop" },
          ]
        : [{ from: "ask", to: "done" }]),
    ],
  };
}
