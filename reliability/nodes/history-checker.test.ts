import { describe, expect, test } from "vitest";
import { isLinearizable, type Seen } from "./history-checker.ts";

const read = (
  beganMs: number,
  endedMs: number,
  status: "running" | "awaiting_review" | "completed" | "failed",
): Seen => ({
  beganMs,
  endedMs,
  what: { kind: "read", status },
});

const vote = (beganMs: number, endedMs: number, approved: boolean, outcome: "won" | "too_late" | undefined): Seen => ({
  beganMs,
  endedMs,
  what: { kind: "vote", approved, outcome },
});

describe("accepts", () => {
  test.each<[string, readonly Seen[]]>([
    ["a history of a run without reads", []],
    [
      "a history of a run from its start to its end",
      [
        read(0, 1, "running"),
        read(2, 3, "awaiting_review"),
        vote(4, 5, true, "won"),
        vote(6, 7, false, "too_late"),
        read(8, 9, "completed"),
      ],
    ],
    [
      "a history in which a read overlaps a vote that it does not see yet",
      [vote(0, 10, false, "won"), read(1, 12, "awaiting_review"), read(13, 14, "failed")],
    ],
    [
      "a history in which a losing vote is answered before the winning one",
      [vote(0, 20, true, "won"), vote(1, 5, false, "too_late")],
    ],
    [
      "a history in which an unanswered vote decided",
      [
        read(0, 1, "awaiting_review"),
        vote(2, Infinity, true, undefined),
        vote(3, 4, false, "too_late"),
        read(5, 6, "completed"),
      ],
    ],
    [
      "a history in which an unanswered vote had no effect",
      [vote(0, Infinity, true, undefined), vote(3, 4, false, "won"), read(5, 6, "failed")],
    ],
  ])("%s", (_what, seen) => {
    expect(isLinearizable(seen)).toBe(true);
  });
});

describe("rejects", () => {
  test.each<[string, readonly Seen[]]>([
    ["a history with two winning votes", [vote(0, 1, true, "won"), vote(2, 3, true, "won")]],
    ["a history with two concurrent winning votes", [vote(0, 9, true, "won"), vote(1, 8, false, "won")]],
    ["a history with a losing vote and no winning one", [vote(0, 1, true, "too_late")]],
    [
      "a history with a losing vote before the only winning one began",
      [vote(0, 1, true, "too_late"), vote(2, 3, false, "won")],
    ],
    ["a history in which the run goes back", [vote(0, 1, true, "won"), read(2, 3, "awaiting_review")]],
    [
      "a history in which an end is reverted",
      [read(0, 1, "completed"), read(2, 3, "running"), vote(0, 1, true, "won")],
    ],
    [
      "a history in which a read is older than an earlier read",
      [vote(0, 1, true, "won"), read(2, 3, "completed"), read(4, 5, "running")],
    ],
    ["a history in which the run ends otherwise than decided", [vote(0, 1, false, "won"), read(2, 3, "completed")]],
    ["a history in which the run ends undecided", [read(0, 1, "awaiting_review"), read(2, 3, "completed")]],
  ])("%s", (_what, seen) => {
    expect(isLinearizable(seen)).toBe(false);
  });
});
