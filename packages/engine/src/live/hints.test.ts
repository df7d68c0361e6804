import type { Change } from "@procedo/storage";
import { expect, test } from "vitest";
import type { Settled } from "../deliveries/settle-batch.ts";
import { hintOfChange, hintOfDeliveries } from "./hints.ts";

function recordingHub() {
  const hints: unknown[] = [];
  return {
    hints,
    hint: (...hint: readonly unknown[]) => void hints.push(hint),
    resync: (...environment: readonly unknown[]) => void hints.push(["resync", ...environment]),
  };
}

function hintsOf(change: Change): readonly unknown[] {
  const hub = recordingHub();
  hintOfChange(hub, change, "default", (runId) => runId === "run_held");
  return hub.hints;
}

const scope = { workspace: "default", environment: "live" } as const;

test.each<[string, Change, readonly unknown[]]>([
  [
    "a run that was parked or ended, and its reviews",
    { type: "settled", runId: "run_1", scope },
    [
      [{ kind: "run", id: "run_1" }, "live"],
      [{ kind: "review" }, "live"],
    ],
  ],
  [
    "a run that this process executes, whose reviews its rows name",
    { type: "settled", runId: "run_held", scope },
    [[{ kind: "run", id: "run_held" }, "live"]],
  ],
  ["no run of another workspace", { type: "settled", runId: "run_1", scope: { ...scope, workspace: "other" } }, []],
  [
    "the kind of a record, without its id",
    { type: "record_changed", kind: "connection", id: "con_1", environment: "sandbox" },
    [[{ kind: "connection" }, "sandbox"]],
  ],
  [
    "a record of the workspace in both environments",
    { type: "record_changed", kind: "person", id: "per_1", environment: undefined },
    [[{ kind: "person" }, undefined]],
  ],
  ["no record that pages do not show", { type: "record_changed", kind: "engine", id: "x", environment: undefined }, []],
  [
    "a default version, which pages of both environments show",
    { type: "default_changed", environment: "live" },
    [[{ kind: "procedure" }, undefined]],
  ],
  [
    "the functions of a private connection",
    { type: "record_changed", kind: "private_manifest_list", id: "con_1", environment: "live" },
    [[{ kind: "connection" }, "live"]],
  ],
  ["everything of an environment in which another process wrote", { type: "written", scope }, [["resync", "live"]]],
  ["nothing that another workspace wrote", { type: "written", scope: { ...scope, workspace: "other" } }, []],
  ["everything after a gap", { type: "resync" }, [["resync", undefined]]],
  ["nothing at the intervals of a poll", { type: "resync", isTimed: true }, []],
  ["no message between workers", { type: "claimable" }, []],
  ["no end of a session", { type: "session_ended", personId: "per_1" }, []],
])("a change of storage hints at %s", (_what, change, hints) => {
  expect(hintsOf(change)).toEqual(hints);
});

test("settled deliveries are named, each in its environment", () => {
  const settled = (deliveryId: string, environment: "sandbox" | "live"): Settled => {
    const address = { scope: { workspace: "default", environment }, deliveryId, epoch: 1 };
    return {
      delivery: {
        ...address,
        webhookId: "wh_1",
        event: "run_completed",
        data: "{}",
        createdAtMs: 0,
        attempt: 1,
        manual: false,
      },
      settlement: { ...address, next: { status: "delivered" } },
      result: { status: "settled", failingSinceMs: undefined },
    };
  };
  const hub = recordingHub();
  hintOfDeliveries(hub, [settled("dlv_1", "live"), settled("dlv_2", "sandbox")]);
  expect(hub.hints).toEqual([
    [{ kind: "delivery", id: "dlv_1" }, "live"],
    [{ kind: "delivery", id: "dlv_2" }, "sandbox"],
  ]);
});
