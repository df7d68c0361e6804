import type { SeededRandom } from "@procedo-testing/faults";
import type { RunCommit } from "@procedo/storage";
import { bareEntries } from "../../bare-entries.ts";
import type { LoopShape } from "./loop-procedure.ts";

/** Rows of a run, by their entries; one row may be several points. */
export const rowNames = [
  "run.create",
  "prompt",
  "reply",
  "reply.corrected",
  "reply.retried",
  "reply.branch_taken",
  "reply.intent",
  "reply.concluded",
  "intent",
  "outcome",
  "outcome.told",
  "review.opened",
  "review.closed",
  "settle",
  "end",
] as const;

export type RowName = (typeof rowNames)[number];

/** Requests to storage other than rows. */
export const requestNames = ["reserve.turn", "reserve.call", "review.decide", "run.takeover"] as const;

export type PointName = RowName | (typeof requestNames)[number] | "model.asked" | "call.made";

/**
 * The side of the point: before the request, or after it and before its answer is read. For a model and a call also:
 * the request has arrived and has no effect yet (`arrived`), or its effect exists without an answer (`done`).
 */
export type Side = "before" | "arrived" | "done" | "after";

/** One kill: its point, the side of it, and the number of passes before it. */
export interface LoopPoint {
  readonly name: PointName;
  readonly side: Side;
  readonly passes: number;
}

const bothSides: readonly Side[] = ["before", "after"];
const allSides: readonly Side[] = ["before", "arrived", "done", "after"];

export const loopPlaces: readonly Omit<LoopPoint, "passes">[] = [
  ...[...rowNames, ...requestNames].flatMap((name) => bothSides.map((side) => ({ name, side }))),
  // A model has no effect besides its answer.
  ...allSides.filter((side) => side !== "done").map((side) => ({ name: "model.asked" as const, side })),
  ...allSides.map((side) => ({ name: "call.made" as const, side })),
];

/** The shapes of runs that pass a point; other shapes run beside them. */
export function shapesFor(name: PointName, random: SeededRandom): readonly LoopShape[] {
  switch (name) {
    case "reply.corrected":
      return ["repair", "plain"];
    case "reply.retried":
      return ["busy", "busy"];
    case "settle":
      return ["refused", "refused"];
    case "review.opened":
    case "review.closed":
    case "review.decide":
      return ["guard", "over"];
    default:
      return random.chance(0.5) ? ["plain", "repair", "guard"] : ["plain", "refused", "over"];
  }
}

/** The points of a row's commit. Pure. */
export function pointsOfRow(commit: RunCommit): ReadonlySet<RowName> {
  const entries = bareEntries(commit.body);
  const points = new Set<RowName>();
  const has = (type: string): boolean => entries.some((entry) => entry.type === type);
  const hasNextPrompt = entries.some(({ type, turn = 1 }) => type === "prompted" && turn > 1);
  if (commit.create !== undefined) points.add("run.create");
  if (entries.some(({ type, turn }) => type === "prompted" && turn === 1)) points.add("prompt");
  if (has("replied")) {
    const retried = entries.some(({ type, retryAtMs }) => type === "replied" && retryAtMs !== undefined);
    if (retried) points.add("reply.retried");
    if (entries.length === 1 && !retried) points.add("reply");
    if (hasNextPrompt && !has("outcome")) points.add("reply.corrected");
    if (has("branch_taken")) points.add("reply.branch_taken");
    if (has("intent")) points.add("reply.intent");
    if (has("concluded")) points.add("reply.concluded");
  } else if (has("intent")) {
    points.add("intent");
  }
  if (has("outcome")) points.add(hasNextPrompt ? "outcome.told" : "outcome");
  if (has("review_opened")) points.add("review.opened");
  if (has("review_closed")) points.add("review.closed");
  if (commit.settle !== undefined) points.add("settle");
  if (has("ended")) points.add("end");
  return points;
}
