import { expect, test } from "vitest";
import type { ReviewSummary, RunSummary, Trigger } from "../api/models.ts";
import { attentionRows, lastChangeOf, type AttentionFound, type ConnectionSummary, type Webhook } from "./attention.ts";

const nowMs = Date.parse("2026-11-26T12:00:00.000Z");
const review = (reviewId: string, expiresAt?: string): ReviewSummary =>
  ({ reviewId, ...(expiresAt !== undefined && { expiresAt }) }) as ReviewSummary;
const run = (runId: string, createdAt = "", completedAt?: string): RunSummary =>
  ({ runId, createdAt, ...(completedAt !== undefined && { completedAt }) }) as RunSummary;
const portion = <T>(items: readonly T[], hasMore = false) => ({ items, hasMore });
const nothing: AttentionFound = {
  counts: {
    outcomeUnknown: 0,
    reviewsForMe: 0,
    reviewsOpen: 0,
    reviewsExpiringIn24h: 0,
    failedLast24h: 0,
    connectionsFailing: 0,
    webhooksFailing: 0,
  },
  unknown: portion([]),
  mine: portion([]),
  expiring: portion([]),
  connections: portion([]),
  webhooks: portion([]),
  triggers: [],
  failed: portion([]),
};
const named = (found: Partial<AttentionFound>, counts: Partial<AttentionFound["counts"]> = {}): readonly string[] =>
  attentionRows({ ...nothing, ...found, counts: { ...nothing.counts, ...counts } }, nowMs).map((row) => {
    if (row.kind === "more") return `${row.count} more ${row.of}`;
    if ("review" in row) return `${row.kind} ${row.review.reviewId}`;
    if ("connection" in row) return `connection ${row.connection.id}`;
    if ("trigger" in row) return `trigger ${row.trigger.id}`;
    return "webhook" in row ? `webhook ${row.webhook.id}` : `failed ${row.run.runId}`;
  });

test("the worst comes first", () => {
  const found = {
    failed: portion([run("run_1")]),
    webhooks: portion([{ id: "wh_1", failingSince: "2026-11-26T11:00:00.000Z" } as Webhook]),
    connections: portion([
      { id: "con_1", health: { status: "failing" } } as ConnectionSummary,
      { id: "con_2", health: { status: "ok" } } as ConnectionSummary,
      { id: "con_3", health: { status: "unconfirmed" } } as ConnectionSummary,
      { id: "con_4", health: { status: "needs_authorization" } } as ConnectionSummary,
    ]),
    expiring: portion([review("rev_3", "2026-11-27T11:00:00.000Z")]),
    mine: portion([review("rev_2")]),
    unknown: portion([review("rev_1")]),
  };
  expect(named(found)).toEqual([
    "outcome_unknown rev_1",
    "review rev_2",
    "expiring rev_3",
    "connection con_1",
    "connection con_3",
    "connection con_4",
    "webhook wh_1",
    "failed run_1",
  ]);
});

test("a trigger is listed while it needs a person or fails, unless a person paused it", () => {
  const trigger = (id: string, state: string, status: string): Trigger =>
    ({ id, state, health: { status } }) as Trigger;
  const triggers = [
    trigger("trg_1", "active", "ok"),
    trigger("trg_2", "active", "failing"),
    trigger("trg_3", "paused", "failing"),
    trigger("trg_4", "paused", "needs_attention"),
  ];
  expect(named({ triggers })).toEqual(["trigger trg_2", "trigger trg_4"]);
});

test("a review is listed once, under its worst reason", () => {
  const one = review("rev_1", "2026-11-26T13:00:00.000Z");
  const found = { unknown: portion([one]), mine: portion([one]), expiring: portion([one]) };
  expect(named(found)).toEqual(["outcome_unknown rev_1"]);
});

test("a review of others is listed once it expires within a day", () => {
  const expiring = portion([review("soon", "2026-11-27T11:59:00.000Z"), review("later", "2026-11-27T12:00:00.000Z")]);
  expect(named({ expiring: { ...expiring, items: [...expiring.items, review("never")] } })).toEqual(["expiring soon"]);
});

test("those that are not listed are counted", () => {
  const found = { mine: portion([review("rev_1")], true), failed: portion([run("run_1")], true) };
  expect(named(found, { reviewsForMe: 12, failedLast24h: 3, webhooksFailing: 1 })).toEqual([
    "review rev_1",
    "11 more reviews",
    "1 more webhooks",
    "failed run_1",
    "2 more runs",
  ]);
});

test("counts that are older than the lists add nothing", () => {
  expect(named({ failed: portion([run("run_1")]) }, { failedLast24h: 5, reviewsForMe: 2 })).toEqual(["failed run_1"]);
});

test("the last change is the latest start or end", () => {
  const runs = [
    run("run_2", "2026-11-26T11:00:00.000Z"),
    run("run_1", "2026-11-26T10:00:00.000Z", "2026-11-26T11:30:00.000Z"),
  ];
  expect(lastChangeOf(runs)).toBe("2026-11-26T11:30:00.000Z");
  expect(lastChangeOf([])).toBeUndefined();
});
