import { functionDeclarationSchema, type FunctionDeclaration } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { functionAction, schemaProblems } from "./function-action.ts";

const declaration: FunctionDeclaration = {
  name: "screen",
  description: "Compares a name with the list.",
  input: { type: "object", properties: { name: { type: "string", pattern: "(?=a)a" } }, required: ["name"] },
};
const declared = (more: Partial<FunctionDeclaration> = {}) =>
  functionDeclarationSchema.parse({ ...declaration, ...more });
const revision = (more: Partial<FunctionDeclaration> = {}): string => functionAction(declared(more)).revision;

describe("a function as an action", () => {
  test("is called at most once unless it says that it may be repeated, and is handed out", () => {
    expect(functionAction(declared())).toMatchObject({ effect: "once", handOut: { requiresReview: false } });
    expect(functionAction(declared({ idempotent: true, requiresReview: true }))).toMatchObject({
      effect: "idempotent",
      handOut: { requiresReview: true },
    });
  });

  test("is repeated for as long as it says that it recognises a key", () => {
    expect(functionAction(declared({ idempotent: true })).idempotencyKeyTtlMs).toBeUndefined();
    const kept = declared({ idempotent: true, idempotencyKeyTtlMs: 300_000 });
    expect(functionAction(kept).idempotencyKeyTtlMs).toBe(300_000);
    expect(functionAction(kept).revision).toBe(revision({ idempotent: true }));
  });

  test("is another one when its schema or a flag is another, and not for its description", () => {
    const others = [{ input: { type: "object" } }, { idempotent: true }, { requiresReview: true }, { name: "other" }];
    for (const more of others) expect(revision(more), JSON.stringify(more)).not.toBe(revision());
    expect(revision({ description: "Another text." })).toBe(revision());
  });

  test("is checked by its schema; a pattern that takes more than linear time is left to the client", () => {
    expect(functionAction(declared()).check({})).toMatchObject([{ path: "/name" }]);
    expect(functionAction(declared()).check({ name: "b" })).toEqual([]);
    expect(schemaProblems(declared())).toEqual([]);
    expect(schemaProblems(declared({ input: { type: "nothing" } }))).not.toEqual([]);
  });

  test("is never called from here", async () => {
    await expect(functionAction(declared()).call({}, {} as never)).rejects.toMatchObject({ outcome: "not_sent" });
  });
});
