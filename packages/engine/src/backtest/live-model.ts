import { ProcedoError } from "@procedo/contract";
import { modelFor, type AgentModel, type AgentModels, type ModelPurpose } from "../models/models.ts";
import { askForReply, type TurnPorts } from "../agent/model-turn.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import { createNotice } from "../ports/notice.ts";
import type { Random } from "../ports/random.ts";
import type { StepPorts } from "../runs/perform-step.ts";
import type { RunBudgets } from "./backtest-budgets.ts";
import type { AskLiveModel } from "./replay-run.ts";

export interface LiveModelPorts {
  readonly clock: Clock;
  readonly random: Pick<Random, "uniform">;
  readonly unforced: TurnPorts["unforced"];
}

/**
 * Asks a run's real models, as the engine does. Nothing else in a backtest reaches the outside.
 *
 * @param settle receives the budget settlement of each turn
 */
export function createLiveModel(
  { clock, random, unforced }: LiveModelPorts,
  steps: Omit<StepPorts, "clock">,
  settle: RunBudgets["settle"],
): AskLiveModel {
  const worker = { leaseViolation: () => undefined, aborted: createNotice() };
  return async (run, step, nowMs) => {
    // Entries carry the record's time; the model runs in real time.
    const time: Clock = {
      now: nowMs,
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) => clock.after(delayMs, callback),
      soon: (callback) => clock.soon(callback),
    };
    const ports = { ...steps, random, unforced, clock: time };
    const end = await askForReply(ports, run, worker, step);
    if (end.kind !== "recorded") throw new ProcedoError("internal", "A backtest was asked to abandon a model call.");
    const { entry, settlement } = end;
    settle(settlement);
    if (entry.type === "replied" && entry.retryAtMs !== undefined) await sleep(clock, entry.retryAtMs - nowMs());
    return entry;
  };
}

/** Stands in for a model whose replies are on record; it is never asked. */
const recordedModel: AgentModel = {
  model: {
    specificationVersion: "v4",
    provider: "recorded",
    modelId: "recorded",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("A backtest with recorded replies asks no model.")),
    doStream: () => Promise.reject(new Error("A backtest with recorded replies asks no model.")),
  },
};

/** Stand-ins for a procedure's models. They keep `maxOutputTokens`, which budgets count with. */
export function recordedModels(models: AgentModels, procedureId: string): AgentModels {
  const replacement = (purpose: ModelPurpose): AgentModel => {
    const { maxOutputTokens } = modelFor(models, procedureId, purpose) ?? {};
    return { ...recordedModel, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
  };
  return { arguments: replacement("arguments"), questions: replacement("questions") };
}
