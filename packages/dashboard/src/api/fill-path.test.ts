import { expect, test } from "vitest";
import { fillPath } from "./fill-path.ts";

test("the segments of a path are escaped", () => {
  const path = fillPath("/api/v1/procedures/{procedureId}/versions/{version}", {
    procedureId: "a/b?c#d",
    version: "ü",
  });
  expect(path).toBe("/api/v1/procedures/a%2Fb%3Fc%23d/versions/%C3%BC");
});

test.each([".", "..", ""])("a segment that a browser would resolve to another path is refused: %j", (procedureId) => {
  expect(() => fillPath("/api/v1/procedures/{procedureId}/runs", { procedureId })).toThrow(/There is nothing named/);
});
