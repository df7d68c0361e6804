import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor.ts";

describe("cursors", () => {
  const query = ["runs", "acme", "live", undefined, 5];

  it("carry a position through a URL", () => {
    const cursor = encodeCursor(query, [1_790_000_000_000, "run-é😀"]);
    expect(encodeURIComponent(cursor)).toBe(cursor);
    expect(decodeCursor(query, cursor, ["number", "string"])).toEqual([1_790_000_000_000, "run-é😀"]);
    expect(decodeCursor(query, undefined, ["number"])).toBeUndefined();
  });

  it.each([[["runs", "acme", "sandbox", undefined, 5]], [["runs", "acme", "live", 5, undefined]], [["runs"]], [[]]])(
    "refuse another query: %j",
    (other) => {
      const cursor = encodeCursor(query, [1]);
      expect(() => decodeCursor(other, cursor, ["number"])).toThrow(
        expect.objectContaining({ code: "invalid_cursor" }),
      );
    },
  );

  it("refuse another kind of position", () => {
    const cursor = encodeCursor(query, [1, "a"]);
    for (const shape of [["number"], ["string", "number"], ["number", "string", "string"]] as const) {
      expect(() => decodeCursor(query, cursor, shape)).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
    }
  });

  it.each([1.5, 1e300, 2 ** 53])("refuse a number that no row has: %d", (number) => {
    const cursor = encodeCursor(query, [number]);
    expect(() => decodeCursor(query, cursor, ["number"])).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
  });

  it("reveal nothing of the query", () => {
    expect(Buffer.from(encodeCursor(query, [1]), "base64url").toString()).not.toContain("acme");
  });
});
