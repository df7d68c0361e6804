import { expect, test } from "vitest";
import type { Review } from "../api/models.ts";
import { shownParts } from "./shown-parts.ts";

const args = { payee: "Acme", amount: 5 };
const call = {
  connection: "bank",
  action: "pay",
  effect: "once",
  arguments: args,
  nodeId: "pay",
  actionRevision: "r1",
} as const satisfies Review["call"];

test("a human review shows the data of the procedure as they are, under any names", () => {
  const data = { agent: { text: "x" }, connection: "bank", action: "pay", arguments: args, reason: "y" };
  expect(shownParts({ kind: "human_review", call, data })).toEqual({
    call: { connection: "bank", action: "pay", effect: "once", arguments: args },
    origins: {},
    modelWords: [],
    attempt: undefined,
    rest: data,
  });
});

test("a held call is shown once, apart from the model's words", () => {
  const data = {
    guards: ["args.amount < 5"],
    connection: "bank",
    action: "pay",
    arguments: args,
    argumentOrigins: { "/amount": "agent" },
    agent: { text: "I pay five.", reason: "" },
  };
  const parts = shownParts({ kind: "guard", call, data });
  expect(parts.rest).toEqual({ guards: ["args.amount < 5"] });
  expect(parts.origins).toEqual({ "/amount": "agent" });
  expect(parts.modelWords).toEqual([{ name: "text", text: "I pay five." }]);
});

test("data that differ from the call are shown beside it", () => {
  const data = { connection: "bank", action: "pay", arguments: { payee: "Acme", amount: 6 } };
  expect(shownParts({ kind: "guard", call, data }).rest).toEqual({ arguments: { payee: "Acme", amount: 6 } });
});

test("an unknown outcome shows the call that was sent, and the facts of the attempt", () => {
  const attempt = { reason: "lost", idempotencyKey: "k", attempt: 1, sentAt: "2026-01-01T00:00:00.000Z" };
  const data = { ...attempt, connection: "bank", action: "pay", arguments: args, other: true };
  expect(shownParts({ kind: "outcome_unknown", data })).toEqual({
    call: { connection: "bank", action: "pay", arguments: args },
    origins: {},
    modelWords: [],
    attempt,
    rest: { other: true },
  });
});

test("data without a call stay whole", () => {
  const data = { question: "Refund?", connection: "bank" };
  expect(shownParts({ kind: "question", data })).toMatchObject({ call: undefined, rest: data });
});
