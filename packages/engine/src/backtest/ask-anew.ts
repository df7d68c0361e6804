import { ProcedoError } from "@procedo/contract";
import type { AgentModel, AgentModels } from "../agent/models.ts";
import { askForReply } from "../agent/model-turn.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import { createNotice } from "../ports/notice.ts";
import type { Random } from "../ports/random.ts";
import type { StepPorts } from "../runs/perform-step.ts";
import type { AskAnew } from "./replay-run.ts";

export interface AskAnewPorts {
  readonly clock: Clock;
  readonly random: Pick<Random, "uniform">;
}

/** Asks a run's models in earnest, as the engine does: the one way in which a backtest reaches anything outside. */
export function createAskAnew({ clock, random }: AskAnewPorts, steps: Omit<StepPorts, "clock">): AskAnew {
  const worker = { mayNotAct: () => undefined, letGo: createNotice() };
  return async (run, step, nowMs) => {
    // Its entries stand in the record's time; a model takes its own.
    const time: Clock = {
      now: nowMs,
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) => clock.after(delayMs, callback),
      soon: (callback) => clock.soon(callback),
    };
    const ports = { ...steps, random, clock: time };
    const end = await askForReply(ports, run, worker, step);
    if (end.kind !== "told") throw new ProcedoError("internal", "A backtest was asked to let go of a model.");
    const { entry } = end;
    if (entry.type === "replied" && entry.retryAtMs !== undefined) await sleep(clock, entry.retryAtMs - nowMs());
    return entry;
  };
}

/** Stand for the models of the record: they are there, and nobody asks them. */
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

export const unaskedModels: AgentModels = { arguments: unasked, questions: unasked };
