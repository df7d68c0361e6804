import { expect, test } from "vitest";
import type { Review } from "../api/models.ts";
import { endWords } from "./review-words.ts";

const me = "rita@acme.example";
const other = "bruno@acme.example";
const review = (status: Review["status"], ...people: readonly string[]): Review =>
  ({
    status,
    decisions: people.map((person) => ({ person })),
    approvalsGiven: people.length,
    approvalsNeeded: 2,
  }) as unknown as Review;

test.each([
  [review("approved", me, other), "Approved by another reviewer"],
  [review("approved", other, me), "Approved by you"],
  [review("rejected", other), "Rejected by another reviewer"],
  [review("open", me), "Approved by you, 1 of 2"],
  [review("open"), "No longer yours to decide"],
  [review("expired"), "Expired without a decision"],
  [review("cancelled"), "The run was cancelled"],
  [review("settled"), "Outcome known, no decision needed"],
])("the end of a review is told from the reader's place", (given, words) => {
  expect(endWords(given, me)).toBe(words);
});
