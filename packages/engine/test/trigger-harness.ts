import type { GivenTriggerSource, JsonObject } from "@procedo/contract";
import type { FiringView, NewTrigger, TriggerView } from "@procedo/engine";
import type { RunRow } from "@procedo/storage";
import { procedure } from "./documents.ts";
import { alice, createHarness, type Harness, type HarnessOptions } from "./harness.ts";

export interface TriggerHarness extends Harness {
  /** Creates a trigger of procedure `p` in sandbox. */
  create(source: GivenTriggerSource, fields?: Partial<NewTrigger>): Promise<TriggerView>;
  trigger(triggerId: string): Promise<TriggerView>;
  /** The firings of a trigger, oldest first. */
  firings(triggerId: string): Promise<readonly FiringView[]>;
  /** The runs of sandbox, oldest first. */
  runs(): Promise<readonly RunRow[]>;
  /** Lets time pass without a timer of each second of it, then everything that is due happens. */
  wait(ms: number): Promise<void>;
}

type GivenSchedule = Extract<GivenTriggerSource, { readonly kind: "schedule" }>;

export const daily: GivenSchedule = { kind: "schedule", cron: "30 6 * * *", timeZone: "UTC" };
export const hourly: GivenSchedule = { kind: "schedule", cron: "0 * * * *", timeZone: "UTC" };

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The input of procedure `p` in tests that map to it. */
export const paymentInput: JsonObject = {
  type: "object",
  required: ["paymentId", "amount"],
  properties: { paymentId: { type: "string" }, amount: { type: "integer" } },
};

/** An engine with a procedure `p` that ends at once. */
export async function createTriggerHarness(
  options: HarnessOptions & { readonly input?: JsonObject } = {},
): Promise<TriggerHarness> {
  const { input, ...rest } = options;
  const harness = await createHarness(rest);
  await harness.publish(procedure([], input === undefined ? {} : { input }));
  const { engine, clock, storage } = harness;
  return {
    ...harness,
    create: async (source, fields = {}) => {
      const trigger = await engine.triggers.create({
        name: "t",
        procedureId: "p",
        environment: "sandbox",
        source,
        by: alice,
        ...fields,
      });
      await clock.settle();
      return trigger;
    },
    trigger: (triggerId) => engine.triggers.get({ environment: "sandbox", triggerId }),
    firings: async (triggerId) => {
      const { items } = await engine.triggers.firings({ environment: "sandbox", triggerId, limit: 200 });
      return items.toReversed();
    },
    runs: async () => {
      const scope = { workspace: "default", environment: "sandbox" } as const;
      const { items } = await storage.runs.list({ scope, limit: 200 });
      return items.toReversed();
    },
    wait: async (ms) => {
      clock.leap(ms);
      await clock.advance(0);
      await clock.advance(6_000);
    },
  };
}
