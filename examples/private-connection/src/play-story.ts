import type { Client, Decision, JsonObject, Review, Run } from "@procedo/client";
import type { Example } from "./open-example.ts";

/** One payment of the story, as the service tells it in the end. */
export interface Scene {
  readonly title: string;
  /** With its steps. */
  readonly run: Run;
  /** What was asked on the way, in order, with who decided. */
  readonly reviews: readonly Review[];
}

type Answer = (review: Review) => Promise<Decision>;

const approve: Answer = async () => ({ approved: true });
const reject =
  (rejectionReason: string): Answer =>
  async () => ({ approved: false, rejectionReason });

/** Four invoices: a clear vendor, one that only sounds like a listed one, and a listed one, reported in the second try. */
export async function playStory(example: Pick<Example, "ana" | "ben" | "office">): Promise<readonly Scene[]> {
  const { office } = example;
  const clear = { vendorId: "ven_acme", invoiceId: "inv_1001", amount: 125_000 };
  const similar = { vendorId: "ven_globex", invoiceId: "inv_1003", amount: 89_990 };
  const listed = { vendorId: "ven_hooli", invoiceId: "inv_1005", amount: 340_000 };
  const lookItUp: Answer = async ({ data }) => {
    await office.restartAfterDeath();
    // What a person does: look into the office's file, by the key that the call carried.
    const filed = (await office.reports()).find(({ idempotencyKey }) => idempotencyKey === data["idempotencyKey"]);
    return filed === undefined ? { approved: true } : { approved: true, outputs: { reportId: filed.reportId } };
  };

  const scenes = [
    await pay(example, "A vendor that nobody lists is paid at once", clear, []),
    await pay(example, "A vendor whose name is like a listed one is compared by a person, and paid", similar, [
      approve,
    ]),
    await pay(example, "A listed vendor is not paid; the report is rejected, and nothing is filed", listed, [
      reject("Legal files this one on paper."),
    ]),
  ];
  await office.dieAfterNextReport();
  const title = "The report is approved, the client dies after filing it, and a person settles what became of it";
  return [...scenes, await pay(example, title, listed, [approve, lookItUp])];
}

/** Runs the procedure to its end; `answers` speak for the person who is asked on the way, one after the other. */
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

/** Ben decides about exactly what he looked at: if that has changed meanwhile, his decision is refused. */
async function decide(ben: Client, runId: string, answer: Answer): Promise<Review> {
  const run = await ben.runs.wait(runId);
  if (run.status !== "awaiting_review" || run.review === undefined) {
    throw new Error(`Somebody was to be asked about run "${runId}", and it is ${run.status}.`);
  }
  const review = await ben.reviews.get(run.review.reviewId);
  await ben.reviews.decide(review, await answer(review));
  return await ben.reviews.get(review.reviewId);
}
