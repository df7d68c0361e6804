import { expect, test } from "vitest";
import { runPath, type VisitedStep } from "./run-path.ts";

const edges = [
  { from: "start", to: "check" },
  { from: "check", to: "pay", branch: "small" },
  { from: "check", to: "pay", branch: "urgent" },
  { from: "check", to: "approve", branch: "large" },
  { from: "pay", to: "check" },
];
const step = (nodeId: string, branch?: string, status: VisitedStep["status"] = "completed"): VisitedStep => ({
  nodeId,
  status,
  ...(branch !== undefined && { branch }),
});

test("the branch tells apart edges between the same nodes", () => {
  const { taken } = runPath(edges, [step("start"), step("check", "urgent"), step("pay")]);
  expect([...taken]).toEqual([0, 2]);
});

test("a loop counts visits, with the status of the latest one", () => {
  const { visits, taken } = runPath(edges, [
    step("start"),
    step("check", "small"),
    step("pay"),
    step("check", "large"),
    step("approve", undefined, "awaiting_review"),
  ]);
  expect(visits.get("check")).toMatchObject({ count: 2, status: "completed" });
  expect(visits.get("approve")).toMatchObject({ count: 1, status: "awaiting_review" });
  expect([...taken].toSorted()).toEqual([0, 1, 3, 4]);
});

test("a run that has not begun visited nothing", () => {
  const { visits, taken } = runPath(edges, []);
  expect([visits.size, taken.size]).toEqual([0, 0]);
});
