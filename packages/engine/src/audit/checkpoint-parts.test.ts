import { expect, test } from "vitest";
import type { RunHead, RunHeadQuery, PageRequest } from "@procedo/storage";
import type { CheckpointPart } from "./checkpoint.ts";
import { partsOf, runsInPart } from "./checkpoint-parts.ts";

/** Storage with so many ended runs in each environment. */
function runsOf(counts: { readonly sandbox: number; readonly live: number }) {
  return {
    heads: async ({ scope, limit, cursor }: RunHeadQuery & PageRequest) => {
      const from = Number(cursor ?? 0);
      const to = Math.min(from + limit, counts[scope.environment]);
      const items = Array.from({ length: to - from }, (_, index): RunHead => {
        return { runId: `${scope.environment}-${from + index}`, seq: 1, hash: "h", endedAtMs: 5 };
      });
      return { items, nextCursor: to < counts[scope.environment] ? String(to) : undefined };
    },
  };
}

const window = { fromMs: 0, toMs: 10 };

test.each([
  [0, 0, [0]],
  [3, 4, [7]],
  [runsInPart, 0, [runsInPart]],
  [runsInPart - 1, 2, [runsInPart, 1]],
  [0, 2 * runsInPart + 1, [runsInPart, runsInPart, 1]],
])("%i and %i runs are divided into entries of %j, each run in one of them", async (sandbox, live, sizes) => {
  const parts: CheckpointPart[] = [];
  for await (const part of partsOf(runsOf({ sandbox, live }), "acme", window)) parts.push(part);
  expect(parts.map(({ heads }) => heads.sandbox.length + heads.live.length)).toEqual(sizes);
  expect(parts.map(({ part, last }) => [part, last])).toEqual(
    sizes.map((_, index) => [index + 1, index === sizes.length - 1]),
  );
  expect(parts.every(({ fromMs, toMs }) => fromMs === 0 && toMs === 10)).toBe(true);
  const ids = parts.flatMap(({ heads }) => [...heads.sandbox, ...heads.live].map(({ runId }) => runId));
  expect(new Set(ids).size).toBe(sandbox + live);
});
