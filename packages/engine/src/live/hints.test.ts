import type { Change } from "@procedo/storage";
import { expect, test } from "vitest";
import { hintOfChange } from "./hints.ts";

function hintsOf(change: Change): readonly unknown[] {
  const hints: unknown[] = [];
  const hub = {
    hint: (...hint: readonly unknown[]) => void hints.push(hint),
    resync: () => void hints.push("resync"),
  };
  hintOfChange(hub, change, "default");
  return hints;
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
  ["a default version", { type: "default_changed", environment: "live" }, [[{ kind: "procedure" }, "live"]]],
  ["everything after a gap", { type: "resync" }, ["resync"]],
  ["no message between workers", { type: "claimable" }, []],
  ["no end of a session", { type: "session_ended", personId: "per_1" }, []],
])("a change of storage hints at %s", (_what, change, hints) => {
  expect(hintsOf(change)).toEqual(hints);
});
