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
  test("is called at most once unless it is declared idempotent, and is dispatched to clients", () => {
    expect(functionAction(declared())).toMatchObject({ effect: "once", dispatch: { requiresReview: false } });
    expect(functionAction(declared({ idempotent: true, requiresReview: true }))).toMatchObject({
      effect: "idempotent",
      dispatch: { requiresReview: true },
    });
  });

  test("is repeated for as long as it is declared to recognise a key", () => {
    expect(functionAction(declared({ idempotent: true })).idempotencyKeyTtlMs).toBeUndefined();
    const kept = declared({ idempotent: true, idempotencyKeyTtlMs: 300_000 });
    expect(functionAction(kept).idempotencyKeyTtlMs).toBe(300_000);
    expect(functionAction(kept).revision).toBe(revision({ idempotent: true }));
  });

  test("has another revision after a change of its schema or a flag, but not of its description", () => {
    const others = [{ input: { type: "object" } }, { idempotent: true }, { requiresReview: true }, { name: "other" }];
    for (const more of others) expect(revision(more), JSON.stringify(more)).not.toBe(revision());
    expect(revision({ description: "Another text." })).toBe(revision());
  });

  test("is checked by its schema, except for patterns that take more than linear time", () => {
    expect(functionAction(declared()).check({})).toMatchObject([{ path: "/name" }]);
    expect(functionAction(declared()).check({ name: "b" })).toEqual([]);
    expect(schemaProblems(declared())).toEqual([]);
    expect(schemaProblems(declared({ input: { type: "nothing" } }))).not.toEqual([]);
  });

  test("is never called by the engine itself", async () => {
    await expect(functionAction(declared()).call({}, {} as never)).rejects.toMatchObject({ outcome: "not_sent" });
  });
});
