import type { Decision, JsonObject, Review, Run } from "@procedo/client";
import { decideReview, unexpectedReview, type Answer } from "./decide-review.ts";
import type { Example } from "./open-example.ts";
import { checkEachMinute, payOnArrival } from "./example-triggers.ts";

/** Longest time until an event, and until a time of the schedule, has started its run. */
const [eventMs, scheduleMs] = [20_000, 80_000];

/** One payment of the story, as reported by the service at the end. */
export interface Scene {
  readonly title: string;
  /** The run with its steps. */
  readonly run: Run;
  /** The reviews of the run, with their decisions. */
  readonly reviews: readonly Review[];
}

/**
 * Plays five payments: paid at once, rejected, approved, made by a ledger that dies before its answer, and started by
 * the ledger's event about an invoice.
 */
export async function runScenario(
  example: Pick<Example, "ana" | "ben" | "ledger" | "triggers">,
): Promise<readonly Scene[]> {
  const { ledger } = example;
  const small = { vendorId: "ven_acme", invoiceId: "inv_1001", amount: 125_000 };
  const large = { vendorId: "ven_acme", invoiceId: "inv_1002", amount: 4_500_000 };
  const unlucky = { vendorId: "ven_globex", invoiceId: "inv_1003", amount: 89_990 };
  const reject = async (): Promise<Decision> => ({
    approved: false,
    rejectionReason: "The delivery is not complete yet.",
  });
  const approve = async (): Promise<Decision> => ({ approved: true });
  const lookItUp = async (review: Review): Promise<Decision> => {
    await ledger.restartAfterDeath();
    // Stands in for a person who looks up the call's key in the ledger.
    const { idempotencyKey } = review.data;
    const outputs = typeof idempotencyKey === "string" ? await ledger.paymentOf(idempotencyKey) : undefined;
    return outputs === undefined ? { approved: true } : { approved: true, outputs };
  };

  const scenes = [
    await pay(example, "A small amount is paid at once", small),
    await pay(example, "A large amount is rejected", large, reject),
    await pay(example, "The same large amount, requested again, is approved", large, approve),
  ];
  await ledger.dieAfterNextPayment();
  const title = "The ledger dies after paying, and a person settles the unknown outcome";
  return [...scenes, await pay(example, title, unlucky, lookItUp), await payInvoiceOnArrival(example)];
}

/** Ana creates a trigger. The ledger then sends an event about an invoice, and the trigger pays it. */
async function payInvoiceOnArrival({
  ana,
  ledger,
  triggers,
}: Pick<Example, "ana" | "ledger" | "triggers">): Promise<Scene> {
  const triggerId = await triggers.create(payOnArrival);
  const invoice = { vendorId: "ven_acme", amount: 48_000, currency: "EUR", dueDate: "2027-02-15" };
  await ledger.receiveInvoice(invoice);
  const { runId } = await triggers.firstRun(triggerId, eventMs);
  await ana.runs.wait(runId);
  return {
    title: "An invoice arrives, and the ledger's event starts its payment",
    run: await ana.runs.get(runId, { steps: true }),
    reviews: [],
  };
}

/** Ana creates a schedule, which starts a check at the next full minute. */
export async function checkOnSchedule({ ana, triggers }: Pick<Example, "ana" | "triggers">): Promise<Scene> {
  const { runId, scheduledAt } = await triggers.firstRun(await triggers.create(checkEachMinute), scheduleMs);
  await ana.runs.wait(runId);
  const run = await ana.runs.get(runId, { steps: true });
  return { title: `The schedule looks for due invoices, at ${scheduledAt ?? "no time"}`, run, reviews: [] };
}

/** Runs the procedure to its end. `answer` decides its review. */
async function pay(
  { ana, ben }: Pick<Example, "ana" | "ben">,
  title: string,
  data: JsonObject,
  answer: Answer = unexpectedReview,
): Promise<Scene> {
  const { runId, status } = await ana.run("vendor-payment", { data });
  if (status === "awaiting_review") await decideReview(ben, runId, answer);
  await ana.runs.wait(runId, { waitThroughReviews: true });
  const run = await ana.runs.get(runId, { steps: true });
  const asked = (run.steps ?? []).flatMap(({ reviewId = [] }) => reviewId);
  return { title, run, reviews: await Promise.all(asked.map((reviewId) => ben.reviews.get(reviewId))) };
}
