import { describe, expect, test } from "vitest";
import { createLookUp } from "./look-ups.ts";

interface Row {
  readonly key: string;
  readonly value: number;
}

function lookUpIn(rows: readonly Row[]) {
  const asked: (readonly string[])[] = [];
  const lookUp = createLookUp<Row>({
    async find(keys) {
      asked.push(keys);
      if (keys.includes("refused")) throw Object.assign(new Error("No such text."), { code: "22021" });
      return rows.filter(({ key }) => keys.includes(key));
    },
    keysOf: ({ key }) => [key],
    timeLimit: { ms: 1_000, exceeded: () => new Error("late") },
  });
  return { asked, lookUp };
}

describe("a look-up", () => {
  test("asks once for what is asked for in one turn, and each gets its own rows in their order", async () => {
    const rows = [1, 2, 3].map((value) => ({ key: value === 2 ? "b" : "a", value }));
    const { asked, lookUp } = lookUpIn(rows);
    const found = await Promise.all(["a", "b", "a", "none"].map(lookUp));
    expect(found.map((each) => each.map(({ value }) => value))).toEqual([[1, 3], [2], [1, 3], []]);
    expect(asked).toEqual([["a", "b", "none"]]);
  });

  test("a key that the database refuses hinders no other", async () => {
    const { lookUp } = lookUpIn([{ key: "a", value: 1 }]);
    const [refused, found] = await Promise.allSettled([lookUp("refused"), lookUp("a")]);
    expect(refused.status).toBe("rejected");
    expect(found).toEqual({ status: "fulfilled", value: [{ key: "a", value: 1 }] });
  });
});
