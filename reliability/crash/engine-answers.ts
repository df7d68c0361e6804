import type { Engine } from "@procedo/engine";
import { crashProcedureWith, paymentTimeoutMs as usualTimeoutMs } from "./crash-procedure.ts";
import type { NodeRequests, NodeSetup, RequestName } from "./protocol.ts";

const environment = "sandbox";
const by = { person: "starter" };
const reviewer = { person: "reviewer", roles: ["reviewer"] };

/** What any engine answers to the driver. */
export type EngineAnswers = {
  readonly [Name in Exclude<RequestName, "arm" | "drain">]: (
    request: NodeRequests[Name]["request"],
  ) => Promise<unknown>;
};

/** @param clockAheadMs how far this process's clock is ahead of the driver's, which is told times of its own */
export function engineAnswers(engine: Engine, clockAheadMs = 0): EngineAnswers {
  return {
    start: ({ input, key }) =>
      engine.runs.start({ procedureId: "crash", environment, data: { ...input }, idempotencyKey: key, by }),
    decide: (request) => engine.reviews.decide({ ...request, environment, by: reviewer }),
    look: async () => {
      const running = await engine.runs.list({ environment, status: "running", limit: 1000 });
      const { items } = await engine.reviews.list({ environment, status: "open", limit: 1000 });
      const reviews = items.map((review) => {
        const { notBeforeMs } = review.rules;
        return { ...review, rules: notBeforeMs === undefined ? {} : { notBeforeMs: notBeforeMs - clockAheadMs } };
      });
      return { running: running.items.length, reviews };
    },
    cancel: async ({ runId }) => {
      await engine.runs.cancel({ environment, runId, by, reason: "Not needed any more." });
      return {};
    },
    show: async ({ reviewId }) => ({ data: (await engine.reviews.get({ environment, reviewId })).data }),
  };
}

/** Sets up what the first process of a database needs; an earlier one may have died on any step of it. */
export async function prepareEngine(
  { connections, procedures, webhooks }: Engine,
  {
    ledgerUrl,
    ledgerToken,
    paymentTimeoutMs = usualTimeoutMs,
  }: Pick<NodeSetup, "ledgerUrl" | "ledgerToken"> & { readonly paymentTimeoutMs?: number },
): Promise<void> {
  if ((await connections.list({ environment, limit: 1 })).items.length === 0) {
    const settings = { baseUrl: ledgerUrl };
    const secrets = { token: ledgerToken };
    await connections.create({ name: "bank", integration: "bank", environment, settings, secrets, by });
  }
  if ((await webhooks.list({ environment, limit: 1 })).items.length === 0) {
    const events = ["run_completed", "run_failed", "human_review_requested", "custom.pay_made", "custom.deposit_made"];
    await webhooks.create({ url: `${ledgerUrl}/events`, events, environment, by });
  }
  if ((await procedures.list({ limit: 1 })).items.length === 0) {
    const document = crashProcedureWith({ paymentTimeoutMs });
    await procedures.publish({ document, version: "1", defaultIn: [environment], by });
  }
}
