import { expect, test } from "vitest";
import type { RunHead, RunHeadQuery, PageRequest } from "@procedo/storage";
import type { CheckpointPart } from "./checkpoint.ts";
import { partsOf, runsInPart } from "./checkpoint-parts.ts";

/** Storage with the given number of ended runs in each environment. */
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

const unhurried = { pause: async () => {}, signal: new AbortController().signal };

test.each([
  [0, 0, [0]],
  [3, 4, [7]],
  [runsInPart, 0, [runsInPart]],
  [runsInPart - 1, 2, [runsInPart, 1]],
  [0, 2 * runsInPart + 1, [runsInPart, runsInPart, 1]],
])("%i and %i runs are divided into entries of %j, each run in one of them", async (sandbox, live, sizes) => {
  const parts: CheckpointPart[] = [];
  for await (const part of partsOf(runsOf({ sandbox, live }), "acme", window, unhurried)) parts.push(part);
  expect(parts.map(({ heads }) => heads.sandbox.length + heads.live.length)).toEqual(sizes);
  expect(parts.map(({ part, last }) => [part, last])).toEqual(
    sizes.map((_, index) => [index + 1, index === sizes.length - 1]),
  );
  expect(parts.every(({ fromMs, toMs }) => fromMs === 0 && toMs === 10)).toBe(true);
  const ids = parts.flatMap(({ heads }) => [...heads.sandbox, ...heads.live].map(({ runId }) => runId));
  expect(new Set(ids).size).toBe(sandbox + live);
});

/** Lists `count` runs. Returns how many were read before each pause, how many in total, and the parts. */
async function paced(count: number, options: { readonly stopAtPause?: number } = {}) {
  const stopping = new AbortController();
  const runs = runsOf({ sandbox: count, live: 1 });
  let read = 0;
  const readAtPauses: number[] = [];
  const counting: typeof runs = {
    heads: async (request) => {
      const page = await runs.heads(request);
      read += page.items.length;
      return page;
    },
  };
  const pause = async (): Promise<void> => {
    readAtPauses.push(read);
    if (readAtPauses.length === options.stopAtPause) stopping.abort();
  };
  const parts: CheckpointPart[] = [];
  for await (const part of partsOf(counting, "acme", window, { pause, signal: stopping.signal })) parts.push(part);
  return { readAtPauses, read, parts: parts.map(({ part, last }) => [part, last]) };
}

test("pauses between every two pages, and reads small pages", async () => {
  const { readAtPauses, read, parts } = await paced(runsInPart + 250);
  const pages = readAtPauses.map((count, index) => count - (readAtPauses[index - 1] ?? 0));
  expect(Math.max(...pages)).toBeLessThanOrEqual(100);
  expect(readAtPauses.length).toBeGreaterThanOrEqual(Math.ceil((runsInPart + 250) / 100) - 1);
  expect([read, parts]).toEqual([
    runsInPart + 251,
    [
      [1, false],
      [2, true],
    ],
  ]);
});

test("lists a few runs without a pause", async () => {
  expect(await paced(5)).toEqual({ readAtPauses: [], read: 6, parts: [[1, true]] });
});

test.each([
  [1, []],
  [25, [[1, false]]],
])("a list that is ended in pause %i reads no further pages and yields no last part", async (stopAtPause, parts) => {
  const list = await paced(3 * runsInPart, { stopAtPause });
  expect(list.parts).toEqual(parts);
  expect(list.read).toBe(list.readAtPauses.at(-1));
});
