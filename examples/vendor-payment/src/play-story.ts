import { randomUUID } from "node:crypto";
import type { JsonObject } from "@procedo/contract";
import type { Engine, Principal, Review, RunRecordView } from "@procedo/engine";
import type { LedgerOffice } from "./ledger-office.ts";

/** One payment of the story, as its record tells it in the end. */
export interface Scene {
  readonly title: string;
  readonly record: RunRecordView;
}

const environment = "sandbox";

/** Starts payments; the procedure does not let her approve them. */
const ana: Principal = { person: "ana" };
const ben: Principal = { person: "ben", roles: ["reviewer"] };

/** Pays four invoices: at once, after a rejection, after an approval, and through a ledger that dies. */
export async function playStory(engine: Engine, ledger: LedgerOffice): Promise<readonly Scene[]> {
  const small = { vendorId: "ven_acme", invoiceId: "inv_1001", amount: 125_000 };
  const large = { vendorId: "ven_acme", invoiceId: "inv_1002", amount: 4_500_000 };
  const unlucky = { vendorId: "ven_globex", invoiceId: "inv_1003", amount: 89_990 };
  return [
    { title: "A small amount is paid at once", record: await pay(engine, small) },
    {
      title: "A large amount is rejected",
      record: await pay(engine, large, async (review) =>
        decide(engine, review, { approved: false, rejectionReason: "The delivery is not complete yet." }),
      ),
    },
    {
      title: "The same large amount, asked for again, is approved",
      record: await pay(engine, large, async (review) => decide(engine, review, { approved: true })),
    },
    {
      title: "The ledger dies after paying, and a person settles what became of it",
      record: await payThroughDeath(engine, ledger, unlucky),
    },
  ];
}

async function payThroughDeath(engine: Engine, ledger: LedgerOffice, data: JsonObject): Promise<RunRecordView> {
  await ledger.dieAfterNextPayment();
  return pay(engine, data, async (review) => {
    await ledger.restartAfterDeath();
    // What a person does: look into the ledger, by the key that the call carried.
    const { idempotencyKey } = review.data;
    const payment = typeof idempotencyKey === "string" ? await ledger.paymentOf(idempotencyKey) : undefined;
    if (payment === undefined) await decide(engine, review, { approved: true });
    else await decide(engine, review, { approved: true, outputs: payment });
  });
}

/** Runs the procedure to its end; `answer` speaks for the person who is asked on the way. */
async function pay(
  engine: Engine,
  data: JsonObject,
  answer: (review: Review) => Promise<void> = unexpected,
): Promise<RunRecordView> {
  const request = { procedureId: "vendor-payment", environment, data, by: ana } as const;
  const { runId, status } = await engine.runs.execute(request);
  const run = { environment, runId } as const;
  if (status === "awaiting_review") {
    const review = (await engine.reviews.ofRun(run)).at(-1);
    if (review === undefined) throw new Error(`Run "${runId}" waits for a review that nobody knows.`);
    await answer(review);
    await engine.runs.wait(run, { throughReviews: true });
  }
  return engine.runs.get(run);
}

/** Ben decides about exactly what he looked at: if that has changed meanwhile, his decision is refused. */
async function decide(
  engine: Engine,
  { runId, reviewId, digest }: Review,
  decision: { readonly approved: boolean; readonly outputs?: JsonObject; readonly rejectionReason?: string },
): Promise<void> {
  const seen = { environment, runId, reviewId, reviewDigest: digest } as const;
  await engine.reviews.decide({ ...seen, ...decision, idempotencyKey: randomUUID(), by: ben });
}

async function unexpected(review: Review): Promise<void> {
  throw new Error(`Nobody was to be asked here, and yet: ${review.title}`);
}
