import { describe, expect, test } from "vitest";
import { batchedLookup } from "./batched-lookups.ts";

interface Row {
  readonly key: string;
  readonly value: number;
}

function lookupIn(rows: readonly Row[]) {
  const asked: (readonly string[])[] = [];
  const lookup = batchedLookup<Row>({
    async find(keys) {
      asked.push(keys);
      if (keys.includes("refused")) throw Object.assign(new Error("No such text."), { code: "22021" });
      return rows.filter(({ key }) => keys.includes(key));
    },
    keysOf: ({ key }) => [key],
    timeLimit: { ms: 1_000, exceeded: () => new Error("late") },
  });
  return { asked, lookup };
}

describe("a batched lookup", () => {
  test("finds the keys of one event-loop turn with one statement, and returns the rows of each in order", async () => {
    const rows = [1, 2, 3].map((value) => ({ key: value === 2 ? "b" : "a", value }));
    const { asked, lookup } = lookupIn(rows);
    const found = await Promise.all(["a", "b", "a", "none"].map(lookup));
    expect(found.map((each) => each.map(({ value }) => value))).toEqual([[1, 3], [2], [1, 3], []]);
    expect(asked).toEqual([["a", "b", "none"]]);
  });

  test("fails only the key that the database rejects", async () => {
    const { lookup } = lookupIn([{ key: "a", value: 1 }]);
    const [refused, found] = await Promise.allSettled([lookup("refused"), lookup("a")]);
    expect(refused.status).toBe("rejected");
    expect(found).toEqual({ status: "fulfilled", value: [{ key: "a", value: 1 }] });
  });
});
