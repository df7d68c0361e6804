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

describe("a history that one order explains", () => {
  test.each<[string, readonly Seen[]]>([
    ["of a run that nobody looked at", []],
    [
      "of a run from its beginning to its end",
      [
        read(0, 1, "running"),
        read(2, 3, "awaiting_review"),
        vote(4, 5, true, "won"),
        vote(6, 7, false, "too_late"),
        read(8, 9, "completed"),
      ],
    ],
    [
      "in which a read overlaps the vote that it does not see yet",
      [vote(0, 10, false, "won"), read(1, 12, "awaiting_review"), read(13, 14, "failed")],
    ],
    ["in which a loser is answered before the winner", [vote(0, 20, true, "won"), vote(1, 5, false, "too_late")]],
    [
      "in which a vote without an answer decided",
      [
        read(0, 1, "awaiting_review"),
        vote(2, Infinity, true, undefined),
        vote(3, 4, false, "too_late"),
        read(5, 6, "completed"),
      ],
    ],
    [
      "in which a vote without an answer has not happened",
      [vote(0, Infinity, true, undefined), vote(3, 4, false, "won"), read(5, 6, "failed")],
    ],
  ])("%s", (_what, seen) => {
    expect(isLinearizable(seen)).toBe(true);
  });
});

describe("a history that no order explains", () => {
  test.each<[string, readonly Seen[]]>([
    ["with two winners", [vote(0, 1, true, "won"), vote(2, 3, true, "won")]],
    ["with two winners at the same time", [vote(0, 9, true, "won"), vote(1, 8, false, "won")]],
    ["with a loser and no winner", [vote(0, 1, true, "too_late")]],
    ["with a loser before the only winner began", [vote(0, 1, true, "too_late"), vote(2, 3, false, "won")]],
    ["in which the run goes back", [vote(0, 1, true, "won"), read(2, 3, "awaiting_review")]],
    ["in which an end is taken back", [read(0, 1, "completed"), read(2, 3, "running"), vote(0, 1, true, "won")]],
    ["in which a read is behind another's", [vote(0, 1, true, "won"), read(2, 3, "completed"), read(4, 5, "running")]],
    ["in which it ends otherwise than decided", [vote(0, 1, false, "won"), read(2, 3, "completed")]],
    ["in which it ends undecided", [read(0, 1, "awaiting_review"), read(2, 3, "completed")]],
  ])("%s", (_what, seen) => {
    expect(isLinearizable(seen)).toBe(false);
  });
});
