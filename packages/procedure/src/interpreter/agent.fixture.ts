import type { ProcedureDocument } from "@procedo/contract";
import type { CompiledProcedure } from "../compiled.ts";
import { loadProcedure } from "../compile/compile-procedure.ts";
import { fold, initialState } from "./fold.ts";
import type { Concluded, ModelReply, Prompted, Replied, ReplyPart } from "./conversation.ts";
import { started } from "./example.fixture.ts";
import type { BranchTaken, Entry, NodeFailed } from "./journal.ts";
import type { RunState } from "./state.ts";

/** An agent's node of each kind: a question, one call, several calls. And the entries that move it. */
export const agentDocument: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "agents",
  name: "Agents",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "sort",
      kind: "condition",
      question: "Which one?",
      branches: [{ name: "one" }, { name: "several" }],
      confidence: { atLeast: 0.8, otherwise: "review" },
    },
    { id: "pay", kind: "tool_call", connection: "bank", action: "pay", instructions: "Pay." },
    {
      id: "look",
      kind: "tool_call",
      connection: "bank",
      action: "look",
      instructions: "Look.",
      maxCalls: 3,
      emit: { name: "looked" },
    },
    { id: "done", kind: "end" },
    { id: "failed", kind: "end" },
    { id: "rejected", kind: "end" },
  ],
  edges: [
    { from: "start", to: "sort" },
    { from: "sort", branch: "one", to: "pay" },
    { from: "sort", branch: "several", to: "look" },
    { from: "pay", to: "sort" },
    { from: "look", to: "done" },
    { from: "look", branch: "error", to: "failed" },
    { from: "look", branch: "rejected", to: "rejected" },
  ],
};

export const agents: CompiledProcedure = loadProcedure(agentDocument);

const wants: { readonly [nodeId: string]: Prompted["wants"] } = {
  sort: "answer",
  pay: { calls: 1 },
  look: { calls: 3 },
};

export function prompted(nodeId: string, turn = 1, visit = 1): Prompted {
  const added = [{ role: "user", text: `turn ${turn}` }] as const;
  return { type: "prompted", atMs: 2, nodeId, visit, turn, wants: wants[nodeId] ?? "answer", added };
}

export function reply(...content: readonly ReplyPart[]): ModelReply {
  const usage = { inputTokens: 100, outputTokens: 10 };
  return { modelId: "m-1", provider: "p", content, finishReason: "stop", usage };
}

export const proposal: ReplyPart = { type: "tool_call", toolCallId: "c1", toolName: "look", input: "{}" };
export const words: ReplyPart = { type: "text", text: "That is all." };

export function replied(nodeId: string, turn = 1, of: ModelReply = reply(proposal), attempt = 1): Replied {
  const result = { status: "ok", reply: of } as const;
  return { type: "replied", atMs: 3, nodeId, visit: 1, turn, attempt, result, latencyMs: 40 };
}

/** The model could not answer; it is asked again at `retryAtMs`, if present. */
export function unanswered(nodeId: string, attempt: number, retryAtMs?: number): Replied {
  const result = { status: "error", modelId: "m", error: { message: "Too many requests." } } as const;
  const again = retryAtMs === undefined ? {} : { retryAtMs };
  return { type: "replied", atMs: 3, nodeId, visit: 1, turn: 1, attempt, result, latencyMs: 5, ...again };
}

export const concluded: Concluded = { type: "concluded", atMs: 4, nodeId: "look", visit: 1, text: "That is all." };

export function answer(branch: string, visit = 1): BranchTaken {
  return { type: "branch_taken", atMs: 4, nodeId: "sort", visit, branch, reason: "It fits.", confidence: 0.9 };
}

export function gaveUp(nodeId: "sort" | "pay" | "look"): NodeFailed {
  const kind = nodeId === "sort" ? "condition" : "tool_call";
  return { type: "node_failed", atMs: 4, nodeId, kind, visit: 1, error: { message: "No usable reply." } };
}

/** The entries up to the node that makes several calls, or the one that makes one. */
export const toLook: readonly Entry[] = [prompted("sort"), replied("sort"), answer("several")];
export const toPay: readonly Entry[] = [prompted("sort"), replied("sort"), answer("one")];

export function agentStateAfter(...entries: readonly Entry[]): RunState {
  return entries.reduce((state, entry) => fold(agents, state, entry), initialState(agents, started));
}
