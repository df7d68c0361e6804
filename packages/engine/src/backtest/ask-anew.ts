import { ProcedoError } from "@procedo/contract";
import { modelFor, type AgentModel, type AgentModels, type ModelPurpose } from "../models/models.ts";
import { askForReply, type TurnPorts } from "../agent/model-turn.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import { createNotice } from "../ports/notice.ts";
import type { Random } from "../ports/random.ts";
import type { StepPorts } from "../runs/perform-step.ts";
import type { RunBudgets } from "./backtest-budgets.ts";
import type { AskAnew } from "./replay-run.ts";

export interface AskAnewPorts {
  readonly clock: Clock;
  readonly random: Pick<Random, "uniform">;
  readonly unforced: TurnPorts["unforced"];
}

/**
 * Asks a run's models in earnest, as the engine does: the one way in which a backtest reaches anything outside.
 *
 * @param settle is told what a turn has used of its budgets
 */
export function createAskAnew(
  { clock, random, unforced }: AskAnewPorts,
  steps: Omit<StepPorts, "clock">,
  settle: RunBudgets["settle"],
): AskAnew {
  const worker = { leaseViolation: () => undefined, aborted: createNotice() };
  return async (run, step, nowMs) => {
    // Its entries stand in the record's time; a model takes its own.
    const time: Clock = {
      now: nowMs,
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) => clock.after(delayMs, callback),
      soon: (callback) => clock.soon(callback),
    };
    const ports = { ...steps, random, unforced, clock: time };
    const end = await askForReply(ports, run, worker, step);
    if (end.kind !== "told") throw new ProcedoError("internal", "A backtest was asked to let go of a model.");
    const { entry, settlement } = end;
    settle(settlement);
    if (entry.type === "replied" && entry.retryAtMs !== undefined) await sleep(clock, entry.retryAtMs - nowMs());
    return entry;
  };
}

/** Stands for a model of the record: it is there, and nobody asks it. */
const unasked: AgentModel = {
  model: {
    specificationVersion: "v4",
    provider: "recorded",
    modelId: "recorded",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("A backtest with recorded replies asks no model.")),
    doStream: () => Promise.reject(new Error("A backtest with recorded replies asks no model.")),
  },
};

/** The models of a procedure where none is asked; how long a reply may be is theirs, because budgets count with it. */
export function unaskedModels(models: AgentModels, procedureId: string): AgentModels {
  const standFor = (purpose: ModelPurpose): AgentModel => {
    const { maxOutputTokens } = modelFor(models, procedureId, purpose) ?? {};
    return { ...unasked, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
  };
  return { arguments: standFor("arguments"), questions: standFor("questions") };
}
