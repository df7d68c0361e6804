import { isDeepStrictEqual } from "node:util";
import type { Entry, Intent, PromptMessage } from "@procedo/procedure";
import { messagesOf } from "../../../packages/engine/src/agent/prompt.ts";
import { sdkPrompt } from "../../../packages/engine/src/models/model-prompt.ts";
import { stepsOf } from "../../../packages/engine/src/journal/run-record.ts";
import { effects } from "../../crash/checks/effects.ts";
import { journals } from "../../crash/checks/journals.ts";
import { reviews } from "../../crash/checks/reviews.ts";
import { secrets } from "../../crash/checks/secrets.ts";
import type { TracedRun } from "../../crash/evidence.ts";
import { nodeOfTool, repliesOf, turnKey, type LoopEvidence } from "./loop-evidence.ts";
import { blockedVendor, guardedAbove, mostBookings } from "./loop-procedure.ts";

/** One invariant of the loop: returns its violations. Pure. */
export type LoopCheck = (evidence: LoopEvidence) => readonly string[];

/** The model's prompts agree with the record, and no prompt with a recorded answer was sent again. */
export const asks: LoopCheck = ({ runs, asks: all, deaths }) => {
  const faults: string[] = [];
  const runOf = new Map(runs.map((run) => [run.stored.runId, run]));
  const recorded = new Map(runs.flatMap(repliesOf).map((reply) => [reply.turn, reply]));
  const given = new Map<string, Set<string>>();
  for (const [index, ask] of all.entries()) {
    const node = nodeOfTool(ask.tool);
    const turn = turnKey(ask.runId, node, ask.turn);
    const reply = recorded.get(turn);
    const run = runOf.get(ask.runId);
    if (run === undefined || !isOnRecord(run, node, ask)) faults.push(`Turn ${turn} was sent before it was durable.`);
    if (reply !== undefined && ask.sentAtMs > reply.atMs) {
      faults.push(`Turn ${turn} was sent ${ask.sentAtMs - reply.atMs} ms after its recorded answer.`);
    }
    for (const death of deaths) {
      if (index >= death.asks && death.answered.has(turn)) faults.push(`Turn ${turn} was answered, and sent again.`);
    }
    const id = ask.answered?.response?.id;
    if (id !== undefined) given.set(turn, (given.get(turn) ?? new Set()).add(id));
  }
  const ids = new Set<string>();
  for (const { turn, reply } of recorded.values()) {
    const { responseId = "" } = reply;
    if (given.get(turn)?.has(responseId) !== true) faults.push(`Turn ${turn} has an answer that the model never gave.`);
    if (ids.has(responseId)) faults.push(`Answer ${responseId} is recorded twice.`);
    ids.add(responseId);
  }
  return faults;
};

/** Whether the journal contains exactly the conversation that the model received. */
function isOnRecord({ entries }: TracedRun, nodeId: string, { turn, prompt }: LoopEvidence["asks"][number]): boolean {
  const turns = entries.flatMap(({ entry }) => {
    if (entry.type !== "prompted" || entry.nodeId !== nodeId || entry.turn > turn) return [];
    return [{ added: entry.added, reply: entry.turn === turn ? undefined : replyTo(entries, entry) }];
  });
  return (
    turns.length === turn && isDeepStrictEqual(JSON.parse(JSON.stringify(sdkPrompt(messagesOf({ turns })))), prompt)
  );
}

function replyTo(entries: TracedRun["entries"], { nodeId, turn }: { readonly nodeId: string; readonly turn: number }) {
  for (const { entry } of entries) {
    if (entry.type !== "replied" || entry.nodeId !== nodeId || entry.turn !== turn) continue;
    if (entry.result.status === "ok") return entry.result.reply;
  }
  return undefined;
}

/** Each message of a conversation is in the record once, in its place. The same holds for the run as people see it. */
export const record: LoopCheck = ({ runs }) =>
  runs.flatMap((run) => {
    const faults: string[] = [];
    const said = new Map<string, { prompts: (readonly PromptMessage[])[]; replies: number }>();
    for (const { entry } of run.entries) {
      if (entry.type !== "prompted" && entry.type !== "replied") continue;
      const node = said.get(entry.nodeId) ?? { prompts: [], replies: 0 };
      said.set(entry.nodeId, node);
      if (entry.type === "prompted") {
        if (entry.turn !== node.prompts.length + 1)
          faults.push(`turn ${entry.turn} of ${entry.nodeId} is out of order`);
        node.prompts.push(entry.added);
      } else if (entry.result.status === "ok") {
        node.replies += 1;
        if (node.replies !== entry.turn) faults.push(`turn ${entry.turn} of ${entry.nodeId} has another reply`);
      }
    }
    const steps = stepsOf(run.entries);
    for (const [nodeId, { prompts, replies }] of said) {
      const turns = steps.filter((step) => step.nodeId === nodeId).flatMap((step) => step.turns);
      const shown = turns.map(({ added }) => added);
      if (!isDeepStrictEqual(shown, prompts)) faults.push(`${nodeId} shows other prompts than its journal has`);
      if (turns.filter(({ reply }) => reply !== undefined).length !== replies) {
        faults.push(`${nodeId} shows other replies than its journal has`);
      }
    }
    return faults.map((fault) => `Run ${run.stored.runId}: ${fault}.`);
  });

/** An agent's effects are those that its node permits, and agree with the run's record. */
export const calls: LoopCheck = ({ runs, planned }) => {
  const shapeOf = new Map(planned.map(({ input }) => [input.n, input.shape]));
  return runs.flatMap((run) => {
    const faults: string[] = [];
    const keys = new Map<string, Set<string>>();
    const approved = approvedDigests(run);
    for (const { entry } of run.entries) {
      if (entry.type !== "intent") continue;
      keys.set(entry.nodeId, (keys.get(entry.nodeId) ?? new Set()).add(entry.key));
      const { args, action } = entry.frozen;
      if (action !== (entry.nodeId === "pay" ? "pay" : "book")) faults.push(`${entry.nodeId} calls ${action}`);
      if (entry.nodeId !== "pay") continue;
      const { n } = run.state?.input as { readonly n: number };
      const vendor = shapeOf.get(n) === "refused" ? blockedVendor : "ven_acme";
      if (args["vendorId"] !== vendor || args["currency"] !== "EUR") faults.push("a fixed argument was changed");
      const isLarge = Number(args["amount"]) > guardedAbove;
      if (isLarge && !approved.has(entry.approvedDigest ?? "")) faults.push("a guarded call was made without a person");
    }
    if ((keys.get("pay")?.size ?? 0) > 1) faults.push("it paid twice");
    if ((keys.get("split")?.size ?? 0) > mostBookings) faults.push(`it booked more than ${mostBookings} times`);
    return faults.map((fault) => `Run ${run.stored.runId}: ${fault}.`);
  });
};

function approvedDigests({ entries }: TracedRun): ReadonlySet<string> {
  const digestOf = new Map<string, string>();
  const approved = new Set<string>();
  for (const { entry } of entries) {
    if (entry.type === "review_opened" && entry.review.call !== undefined) {
      digestOf.set(entry.review.reviewId, entry.review.call.digest);
    }
    if (entry.type === "review_closed" && entry.answer.status === "approved") {
      approved.add(digestOf.get(entry.reviewId) ?? "");
    }
  }
  return approved;
}

/** At every moment each effect has its reservation. */
export const reserved: LoopCheck = ({ runs, effects: made, taken }) => {
  const done = new Set(made.flatMap(({ key, executions }) => (executions > 0 ? [key] : [])));
  const sums = new Map<string, number>();
  for (const intent of runs.flatMap(lastIntents)) {
    for (const { budget, amount } of done.has(intent.key) ? (intent.reserved ?? []) : []) {
      sums.set(budget, (sums.get(budget) ?? 0) + amount);
    }
  }
  return [...sums].flatMap(([budget, sum]) =>
    sum <= (taken.get(budget) ?? 0)
      ? []
      : [`${sum} of ${budget} were spent, and ${taken.get(budget) ?? 0} are reserved.`],
  );
};

/** At the end the reservations are exactly the confirmed and uncertain effects. */
export const sums: LoopCheck = ({ runs, effects: made, taken, reservations }) => {
  const done = new Set(made.flatMap(({ key, executions }) => (executions > 0 ? [key] : [])));
  const expected = new Map<string, number>();
  const add = (budget: string, amount: number): void => void expected.set(budget, (expected.get(budget) ?? 0) + amount);
  for (const run of runs) {
    for (const intent of lastIntents(run)) {
      const isKept = done.has(intent.key) || isUnknown(run, intent);
      for (const { budget, amount } of isKept ? (intent.reserved ?? []) : []) add(budget, amount);
      if (intent.nodeId === "pay" && !coversPayment(intent))
        return [`Run ${run.stored.runId} pays without a reservation.`];
    }
  }
  const faults: string[] = [];
  for (const [budget, amount] of taken) {
    if (/\/(modelCalls|tokens)\//.test(budget)) continue;
    if (amount !== (expected.get(budget) ?? 0)) {
      faults.push(`${amount} of ${budget} are reserved; ${expected.get(budget) ?? 0} were spent or are uncertain.`);
    }
  }
  return [...faults, ...turnSums({ runs, taken, reservations })];
};

/** Each request to the model counts once, even if it was lost with its worker, with its reported tokens. */
function turnSums({
  runs,
  taken,
  reservations,
}: Pick<LoopEvidence, "runs" | "taken" | "reservations">): readonly string[] {
  const totalOf = (of: string): number =>
    [...taken].reduce((sum, [budget, amount]) => (budget.includes(`/${of}/`) ? sum + amount : sum), 0);
  const estimateOf = new Map(
    reservations.flatMap(({ key, amounts }) =>
      key.startsWith("model:") ? [[key, amounts.find(({ budget }) => budget.includes("/tokens/"))?.amount ?? 0]] : [],
    ),
  );
  let attempts = 0;
  let tokens = 0;
  const recoveriesOf = new Map<string, number>();
  for (const { stored, entries } of runs) {
    let recoveries = 0;
    for (const { entry } of entries) {
      if (entry.type === "recovered") recoveries += 1;
      if (entry.type !== "replied") continue;
      attempts += 1;
      const { nodeId, visit, turn, attempt, result } = entry;
      const key = `model:${stored.runId}:${nodeId}:${visit}:${turn}:${attempt}:${recoveries}`;
      if (result.status === "ok") tokens += result.reply.usage.inputTokens + result.reply.usage.outputTokens;
      else tokens += estimateOf.get(key) ?? 0;
      estimateOf.delete(key);
    }
    recoveriesOf.set(stored.runId, recoveries);
  }
  // The remaining reservations are of killed workers. Each stays, because its result is unknown.
  const faults: string[] = [];
  for (const [key, estimate] of estimateOf) {
    const [, runId = "", , , , , recoveries] = key.split(":");
    if (Number(recoveries) >= (recoveriesOf.get(runId) ?? 0)) faults.push(`${key} is reserved and in no record.`);
    attempts += 1;
    tokens += estimate;
  }
  const [calls, used] = [totalOf("modelCalls"), totalOf("tokens")];
  return [
    ...faults,
    ...(calls === attempts ? [] : [`${calls} model calls are reserved, and ${attempts} are recorded or lost.`]),
    ...(used === tokens ? [] : [`${used} tokens are reserved, and ${tokens} were used.`]),
  ];
}

/** The last attempt of each call. */
function lastIntents({ entries }: TracedRun): readonly Intent[] {
  const last = new Map<string, Intent>();
  for (const { entry } of entries) if (entry.type === "intent") last.set(entry.key, entry);
  return [...last.values()];
}

function coversPayment({ frozen, reserved: amounts = [] }: Intent): boolean {
  const amount = Number(frozen.args["amount"]);
  return amounts.some((one) => one.budget.includes("/daily/day/") && one.amount === amount);
}

/** Whether a call's last outcome is unknown and undecided. */
function isUnknown({ entries }: TracedRun, { key, nodeId, call }: Intent): boolean {
  let unknown = false;
  let asked: string | undefined;
  const isHis = (entry: Entry): boolean => entry.type === "outcome" && entry.nodeId === nodeId && entry.call === call;
  for (const { entry } of entries) {
    if (entry.type === "intent" && entry.key === key) unknown = false;
    if (entry.type === "outcome" && isHis(entry))
      unknown = entry.result.status === "unknown" && entry.retryAtMs === undefined;
    if (entry.type === "review_opened" && entry.review.kind === "outcome_unknown" && entry.nodeId === nodeId) {
      asked = entry.review.reviewId;
    }
    if (entry.type === "review_closed" && entry.reviewId === asked && entry.answer.status === "approved")
      unknown = false;
  }
  return unknown;
}

/** At the end of all work every run has ended as its shape and its reviewers require. */
export const ends: LoopCheck = ({ runs, planned }) => {
  const faults = runs.flatMap(({ stored, entries }) => {
    if (!stored.ended) return [`Run ${stored.runId} is still ${stored.status}.`];
    const rejected = entries.some(({ entry }) => entry.type === "review_closed" && entry.answer.status === "rejected");
    const wanted = rejected ? "failed" : "completed";
    if (stored.status === wanted || (rejected && stored.status === "completed")) return [];
    return [`Run ${stored.runId} ${stored.status} (${stored.error ?? "no error"}); it should have ${wanted}.`];
  });
  return runs.length === planned.length ? faults : [...faults, `${planned.length} starts made ${runs.length} runs.`];
};

/** The invariants that hold at every moment. */
export const always: readonly LoopCheck[] = [journals, effects, reviews, secrets, asks, record, calls, reserved];

/** The invariants that hold at the end of all work. */
export const atTheEnd: readonly LoopCheck[] = [sums, ends];
