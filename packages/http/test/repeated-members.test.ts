import { describe, expect, test } from "vitest";
import type { Operation } from "../src/operation.ts";
import { operations } from "../src/operations/operations.ts";
import { createHarness, type Harness } from "./harness.ts";
import { createOffice } from "./private-office.ts";

const withBody = operations.filter((operation) => "body" in operation && operation.body !== undefined);

async function credentialOf(harness: Harness, access: Operation["access"]): Promise<string> {
  if (access === "client") return (await createOffice(harness)).tokens.sandbox;
  if (access !== "session") return await harness.key(["run", "manage", "review"]);
  return (await harness.person({ access: { sandbox: ["owner"], live: ["owner"] } })).token;
}

/** Required parameters, which are checked before the body is read. */
const queries: Readonly<Record<string, string>> = { discardDraft: "?revision=1" };

describe("a duplicate member of a body is refused with its path", () => {
  test.each(withBody.map((operation) => [operation.id, operation] as const))("%s", async (_id, operation) => {
    const harness = await createHarness();
    const key = await credentialOf(harness, operation.access);
    const path = operation.path.replaceAll(":environment", "sandbox").replaceAll(/:\w+/g, "x");
    const target = `${operation.method} ${path}${queries[operation.id] ?? ""}`;
    for (const [text, place] of [
      ['{"a":1,"a":1}', "/a"],
      ['{"a":[{"b":1,"\\u0062":2}]}', "/a/0/b"],
      ['{"__proto__":1,"__proto__":2}', "/__proto__"],
    ] as const) {
      expect(await harness.ask(target, { key, text, headers: { "content-type": "application/json" } })).toMatchObject({
        status: 400,
        body: { code: "malformed_request", details: [{ path: place, message: "is a duplicate member of its object" }] },
      });
    }
  });

  test("for every operation with a body", () => {
    expect(withBody.length).toBeGreaterThan(15);
  });
});
