import { type ManualClock, seededRandom } from "@procedo-testing/faults";
import { createEngine, defineIntegration, type Engine } from "@procedo/engine";
import type { ProcedureDocument } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { z } from "zod";

/** The number of payments of a race, by idempotency key. */
export type Payments = Map<string, number>;

export const builder = { person: "builder" };
export const procedureId = "approve-and-pay";

/** Asks for an approval, then pays once. */
export const approveAndPay = (approvals: number, expiresAfter: string): ProcedureDocument => ({
  schemaVersion: 1,
  procedureId,
  name: "Approve and pay",
  input: { type: "object", properties: { amount: { type: "integer" } } },
  nodes: [
    { id: "start", kind: "start" },
    { id: "approve", kind: "human_review", title: "Pay?", approvals, expiresAfter, covers: "pay" },
    { id: "pay", kind: "tool_call", connection: "bank", action: "pay", arguments: { amount: "{{ input.amount }}" } },
    { id: "done", kind: "end", output: { paid: "{{ nodes.pay.output }}" } },
  ],
  edges: [
    { from: "start", to: "approve" },
    { from: "approve", to: "pay" },
    { from: "pay", to: "done" },
  ],
});

/** Few heartbeats and polls, so that an order of events is short enough to be read. */
const worker = { leaseMs: 300_000, pollMs: 20_000 };

const masterKey = new Uint8Array(32).fill(1);

/** An engine of one process, on a storage that several processes share. */
export function simpleEngine(
  storage: Storage,
  clock: ManualClock,
  seed: number,
  payments: Payments,
  arrive: (label: string) => Promise<void> = async () => {},
): Engine {
  const bank = defineIntegration({
    name: "bank",
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Pays.",
        input: z.object({ amount: z.number() }),
        effect: "once",
        run: async (_input, { idempotencyKey }) => {
          await arrive("pay");
          payments.set(idempotencyKey, (payments.get(idempotencyKey) ?? 0) + 1);
          await arrive("paid");
          return "yes";
        },
      }),
    }),
  });
  const random = seededRandom(seed, "engine");
  return createEngine({ storage, integrations: [bank], masterKey, clock, random, worker });
}
