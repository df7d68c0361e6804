import type { Client, Decision, JsonObject, Review, Run } from "@procedo/client";
import type { Example } from "./open-example.ts";

/** One payment of the story, as reported by the service at the end. */
export interface Scene {
  readonly title: string;
  /** The run with its steps. */
  readonly run: Run;
  /** The reviews of the run in order, with their decisions. */
  readonly reviews: readonly Review[];
}

type Answer = (review: Review) => Promise<Decision>;

const approve: Answer = async () => ({ approved: true });
const reject =
  (rejectionReason: string): Answer =>
  async () => ({ approved: false, rejectionReason });

/**
 * Plays four payments: to an unlisted vendor, to a vendor with a name similar to a listed one, and twice to a listed
 * vendor.
 */
export async function runScenario(example: Pick<Example, "ana" | "ben" | "office">): Promise<readonly Scene[]> {
  const { office } = example;
  const clear = { vendorId: "ven_acme", invoiceId: "inv_1001", amount: 125_000 };
  const similar = { vendorId: "ven_globex", invoiceId: "inv_1003", amount: 89_990 };
  const listed = { vendorId: "ven_hooli", invoiceId: "inv_1005", amount: 340_000 };
  const lookItUp: Answer = async ({ data }) => {
    await office.restartAfterDeath();
    // Stands in for a person who looks up the call's key in the office's file.
    const filed = (await office.reports()).find(({ idempotencyKey }) => idempotencyKey === data["idempotencyKey"]);
    return filed === undefined ? { approved: true } : { approved: true, outputs: { reportId: filed.reportId } };
  };

  const scenes = [
    await pay(example, "An unlisted vendor is paid at once", clear, []),
    await pay(example, "A vendor with a name similar to a listed one is checked by a person, and paid", similar, [
      approve,
    ]),
    await pay(example, "A listed vendor is not paid; the report is rejected, and no report is filed", listed, [
      reject("Legal files this one on paper."),
    ]),
  ];
  await office.dieAfterNextReport();
  const title = "The report is approved, the client dies after filing it, and a person settles the unknown outcome";
  return [...scenes, await pay(example, title, listed, [approve, lookItUp])];
}

/** Runs the procedure to its end. `answers` decide its reviews, one after the other. */
async function pay(
  { ana, ben }: Pick<Example, "ana" | "ben">,
  title: string,
  data: JsonObject,
  answers: readonly Answer[],
): Promise<Scene> {
  const { runId } = await ana.run("screened-vendor-payment", { data });
  const reviews: Review[] = [];
  for (const answer of answers) reviews.push(await decide(ben, runId, answer));
  await ana.runs.wait(runId);
  return { title, run: await ana.runs.get(runId, { steps: true }), reviews };
}

/** Ben decides the review that he read. If the review has changed since then, his decision is refused. */
async function decide(ben: Client, runId: string, answer: Answer): Promise<Review> {
  const run = await ben.runs.wait(runId);
  if (run.status !== "awaiting_review" || run.review === undefined) {
    throw new Error(`Run "${runId}" is ${run.status}; a review was expected.`);
  }
  const review = await ben.reviews.get(run.review.reviewId);
  await ben.reviews.decide(review, await answer(review));
  return await ben.reviews.get(review.reviewId);
}
