import type { Engine } from "@procedo/engine";
import { crashProcedureWith, paymentTimeoutMs as usualTimeoutMs } from "./crash-procedure.ts";
import type { NodeRequests, NodeSetup, RequestName } from "./protocol.ts";

const environment = "sandbox";
const by = { person: "starter" };
const reviewer = { person: "reviewer", roles: ["reviewer"] };

/** The driver's requests, answered by any engine. */
export type EngineAnswers = {
  readonly [Name in Exclude<RequestName, "arm" | "drain">]: (
    request: NodeRequests[Name]["request"],
  ) => Promise<unknown>;
};

/**
 * @param clockAheadMs the lead of this process's clock over the driver's; answers contain times of the driver's clock
 */
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

/** Performs the setup of a new database. An earlier process may have died at any of its steps. */
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
