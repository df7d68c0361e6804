import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ProcedoError, type Engine, type Review } from "@procedo/engine";
import type { BankAnswer } from "./bank-server.ts";
import type { CellSetup, LoopStart } from "./process-protocol.ts";

const environment = "sandbox";
const by = { person: "starter" };
const reviewer = { person: "reviewer", roles: ["reviewer"] };
const lookMs = 50;
const mostTries = 100;

/**
 * Makes the starts and decides all reviews until no work is left. All requests have idempotency keys, so they may be
 * repeated, here and in other processes.
 */
export async function workOff(
  engine: Engine,
  { bankUrl, procedure: procedureId }: Pick<CellSetup, "bankUrl" | "procedure">,
  starts: readonly LoopStart[],
): Promise<void> {
  await Promise.all(
    starts.map(({ key, input }) => {
      const request = { procedureId, environment, data: { ...input }, idempotencyKey: key, by } as const;
      return patiently(() => engine.runs.start(request));
    }),
  );
  const deciding = new Map<string, Promise<void>>();
  let failure: Error | undefined;
  for (;;) {
    if (failure !== undefined) throw failure;
    const { items: running } = await patiently(() => engine.runs.list({ environment, status: "running", limit: 100 }));
    const { items: reviews } = await patiently(() => engine.reviews.list({ environment, status: "open", limit: 100 }));
    if (running.length === 0 && reviews.length === 0) return;
    for (const { reviewId } of reviews) {
      if (deciding.has(reviewId)) continue;
      const decided = decide(engine, bankUrl, reviewId).then(
        (settled) => void (settled || deciding.delete(reviewId)),
        (error: unknown) => void (failure ??= error instanceof Error ? error : new Error(String(error))),
      );
      deciding.set(reviewId, decided);
    }
    await pause(lookMs);
  }
}

/** On a busy machine a database may answer too late. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (!ProcedoError.isError(error) || !error.retryable || tries === mostTries) throw error;
      await pause(lookMs);
    }
  }
}

/** Codes that mean that the review was closed meanwhile: decided or settled. */
const overtaken = new Set(["already_decided", "review_not_found", "another_review_open"]);

/** Returns whether the review needs no further decision. */
async function decide(engine: Engine, bankUrl: string, reviewId: string): Promise<boolean> {
  const review = await engine.reviews.get({ environment, reviewId });
  const { runId, digest: reviewDigest } = review;
  const mind = await makeUpMind(review, bankUrl);
  try {
    const idempotencyKey = uuidOf(reviewId);
    await engine.reviews.decide({ ...mind, runId, reviewId, reviewDigest, environment, idempotencyKey, by: reviewer });
    return true;
  } catch (error) {
    if (!ProcedoError.isError(error)) throw error;
    if (overtaken.has(error.code)) return true;
    if (error.code === "too_early" || error.retryable) return false;
    throw error;
  }
}

type Mind =
  | { readonly approved: true; readonly outputs?: BankAnswer }
  | { readonly approved: false; readonly rejectionReason: string };

/** The same review is always decided in the same way; an unknown outcome is decided by the bank's books. */
async function makeUpMind({ kind, reviewId, data }: Review, bankUrl: string): Promise<Mind> {
  const isForIt = digestOf(reviewId).charCodeAt(0) % 4 !== 0;
  const mind: Mind = isForIt ? { approved: true } : { approved: false, rejectionReason: "Not this one." };
  if (kind !== "outcome_unknown") return mind;
  const key = data["idempotencyKey"];
  if (typeof key !== "string") throw new Error("The review of an unknown outcome names no key.");
  const response = await fetch(`${bankUrl}/done?key=${key}`);
  const done = (await response.json()) as BankAnswer | null;
  return done === null ? mind : { approved: true, outputs: done };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A UUID version 4 that follows from a text. */
function uuidOf(text: string): string {
  const digits = digestOf(text);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
