import { describe, expect, it } from "vitest";
import { importDocument } from "@procedo/integrations/openapi";
import { generateDocument } from "./generate-document.ts";

describe("W6's document", () => {
  const text = generateDocument();

  it("has about 1 MB and 1,500 operations, and no problems", () => {
    expect(text.length / 1e6).toBeCloseTo(1.1, 1);
    const imported = importDocument(text);
    expect(imported.ok && imported.api.operations).toHaveLength(1_500);
    expect(imported.ok && imported.api.problems).toEqual([]);
  });

  it("is the same each time", () => {
    expect(generateDocument()).toBe(text);
  });
});
