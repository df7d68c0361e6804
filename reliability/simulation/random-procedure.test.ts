import { seededRandom } from "@procedo-testing/faults";
import { compileProcedure } from "@procedo/procedure";
import { expect, test } from "vitest";
import { randomProcedure } from "./random-procedure.ts";

const anything = { input: { type: "object" } };

test("random documents contain every kind of node and every exit of a node, and compile except for impossible covers of reviews", () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 300; seed++) {
    const document = randomProcedure(seededRandom(seed), `p-${seed}`, 40);
    const { problems } = compileProcedure(document, {
      model: false,
      connectionMissing: "error",
      action: () => anything,
    });
    const errors = problems.filter(({ severity, path }) => severity === "error" && !path.endsWith("/covers"));
    expect(errors).toEqual([]);
    for (const node of document.nodes) {
      seen.add(node.kind);
      if (node.kind === "human_review" && node.covers !== undefined) seen.add("covers");
      if (node.kind === "tool_call" && node.emit !== undefined) seen.add("emit");
      if (node.kind === "tool_call") seen.add(`unknown ${node.onUnknownOutcome ?? "default"}`);
      if (node.kind === "tool_call") for (const guard of node.guards ?? []) seen.add(`guard ${guard.otherwise}`);
    }
    for (const { branch } of document.edges) if (branch === "error" || branch === "rejected") seen.add(branch);
  }
  const wanted = [
    "condition",
    "covers",
    "emit",
    "end",
    "error",
    "guard fail",
    "guard review",
    "human_review",
    "rejected",
  ];
  const policies = ["unknown default", "unknown fail", "unknown retry", "unknown review"];
  expect([...seen].sort()).toEqual([...wanted, "start", "tool_call", ...policies].sort());
});
