import type { Review, Run } from "@procedo/contract";
import { assembleClient, type Client } from "../src/client.ts";
import type { ClientOptions } from "../src/client-options.ts";
import type { AnyProcedures, ProcedureMap } from "../src/procedure-types.ts";
import type { Runtime } from "../src/runtime.ts";
import { type FakeService, sandboxKey } from "./fake-service.ts";

/** A clock that advances by sleeping alone, which takes no real time. */
export function fakeRuntime(): Runtime & { readonly slept: number[] } {
  const slept: number[] = [];
  const startMs = Date.UTC(2026, 10, 20, 12);
  let nowMs = startMs;
  return {
    slept,
    now: () => nowMs,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
    },
    newId: () => crypto.randomUUID(),
    retryDelayMs: () => 0,
  };
}

/** A client of the fake service that repeats requests without delay. */
export function clientOf<Procedures extends ProcedureMap = AnyProcedures>(
  service: Pick<FakeService, "url">,
  options: Partial<ClientOptions> = {},
  runtime: Runtime = fakeRuntime(),
): Client<Procedures> {
  return assembleClient<Procedures>({ apiKey: sandboxKey, runnerUrl: service.url, ...options }, runtime);
}

const summary = {
  statusUrl: "http://127.0.0.1/runs/run_1",
  procedureId: "vendor-payment",
  procedureVersion: "v1",
  environment: "sandbox",
  startedBy: "sam",
  createdAt: "2026-11-20T12:00:00.000Z",
} as const;

const completedAt = "2026-11-20T12:00:01.000Z";

export function runningRun(runId = "run_1"): Run {
  return { ...summary, runId, status: "running" };
}

export function completedRun(runId = "run_1"): Run {
  return { ...summary, runId, status: "completed", output: { paid: true }, completedAt };
}

export function failedRun(runId = "run_1"): Run {
  return { ...summary, runId, status: "failed", error: "The ledger said no.", completedAt };
}

export const openReview = {
  reviewId: "rev_1",
  digest: "digest_1",
  title: "Pay?",
  data: { amount: "12.50" },
  requestedAt: "2026-11-20T12:00:00.500Z",
} as const;

/** Waits for a decision, or for the decided run to continue. */
export function awaitingRun({ isDecided = false } = {}): Run {
  return { ...summary, runId: "run_1", status: "awaiting_review", ...(!isDecided && { review: openReview }) };
}

export function review(reviewId = "rev_1"): Review {
  return {
    reviewId,
    runId: "run_1",
    procedureId: "vendor-payment",
    procedureVersion: "v1",
    environment: "sandbox",
    startedBy: "sam",
    nodeId: "approve",
    kind: "human_review",
    status: "open",
    title: "Pay?",
    digest: "digest_1",
    reviewers: { roles: [], people: [] },
    excludesStarter: false,
    excludesApproversOf: [],
    approvalsNeeded: 1,
    approvalsGiven: 0,
    mayDecide: { allowed: true },
    requestedAt: openReview.requestedAt,
    data: openReview.data,
    outputsSchema: false,
    decisions: [],
  };
}
