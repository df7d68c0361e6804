import type { JsonObject } from "@procedo/contract";
import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { createHarness, textOf } from "./harness.ts";

const path = "/api/v1/api-keys";

describe("POST api-keys", () => {
  test("answers 201 with the key, which no other answer contains", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const created = await harness.ask(`POST ${path}`, { key, body: { name: "ci", environment: "sandbox" } });
    const { id, key: raw } = created.body;
    const shown = {
      id,
      name: "ci",
      environment: "sandbox",
      prefix: "rsk_sandbox_",
      permissions: ["run", "manage"],
      roles: [],
      person: "olga@procedo.test",
      createdBy: "olga@procedo.test",
      createdAt: expect.any(String),
    };
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ ...shown, key: expect.stringMatching(/^rsk_sandbox_[\w-]{43}$/) });
    const list = await harness.ask(`GET ${path}`, { key });
    expect(list.body["data"]).toContainEqual(shown);
    expect(list.text).not.toContain(textOf(raw));
    expect((await harness.ask(`GET ${path}`, { key: textOf(raw) })).status).toBe(200);
  });

  test("lists the keys of both environments, or those of the environment that the query names", async () => {
    const harness = await createHarness();
    const key = await harness.key([], "sandbox", "sam");
    await harness.key([], "live", "lea");
    const environmentsOf = async (query: string) =>
      ((await harness.ask(`GET ${path}${query}`, { key })).body["data"] as JsonObject[]).map(
        (one) => one["environment"],
      );
    expect((await environmentsOf("")).toSorted()).toEqual(["live", "sandbox"]);
    expect(await environmentsOf("?environment=sandbox")).toEqual(["sandbox"]);
    expect((await harness.ask(`GET ${path}?environment=live`, { key })).status).toBe(403);
  });

  test("shows the last use of the keys of its own environment, and none of the other", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    const key = await harness.key([], "sandbox", "sam");
    const live = await harness.key([], "live", "lea");
    for (const [one, address] of [
      [key, "192.0.2.1"],
      [live, "192.0.2.2"],
    ] as const) {
      await harness.ask("GET /api/v1/runs", { key: one, address });
    }
    await clock.advance(60_000);
    // The request for the list is the last use of its key.
    const own = [new Date(clock.now()).toISOString(), "192.0.2.3"];
    const usesFor = async (one: string) =>
      Object.fromEntries(
        ((await harness.ask(`GET ${path}`, { key: one, address: "192.0.2.3" })).body["data"] as JsonObject[]).map(
          ({ environment, lastUsedAt, lastUsedFrom }) => [environment, [lastUsedAt, lastUsedFrom]],
        ),
      );
    const unknown = [undefined, undefined];
    expect(await usesFor(key)).toEqual({ sandbox: own, live: unknown });
    expect(await usesFor(live)).toEqual({ sandbox: unknown, live: own });
  });

  test("grants no permission that its creator lacks: 403 that names it", async () => {
    const harness = await createHarness();
    const key = await harness.key(["manage"]);
    const body = { name: "more", environment: "sandbox", permissions: ["manage", "review"] };
    expect(await harness.ask(`POST ${path}`, { key, body })).toMatchObject({
      status: 403,
      body: { code: "permission_denied", error: expect.stringContaining('"review"') },
    });
  });

  test("grants a role that its creator has, and shows it; one that its creator lacks is a 403 that names it", async () => {
    const harness = await createHarness();
    const permissions = ["manage", "review"] as const;
    const treasurer = {
      name: "t",
      environment: "sandbox",
      permissions,
      roles: ["treasury"],
      by: { person: "tina" },
    } as const;
    const { key } = await harness.engine.keys.create(treasurer);
    const body = { name: "more", environment: "sandbox", permissions: ["review"], roles: ["Treasury"] };
    const created = await harness.ask(`POST ${path}`, { key, body });
    expect(created).toMatchObject({ status: 201, body: { roles: ["reviewer", "treasury"] } });
    const list = await harness.ask(`GET ${path}`, { key });
    const keys = list.body["data"] as { id: string; roles: string[] }[];
    expect(keys.find(({ id }) => id === created.body["id"])?.roles).toEqual(["reviewer", "treasury"]);
    expect(await harness.ask(`POST ${path}`, { key: await harness.key([...permissions]), body })).toMatchObject({
      status: 403,
      body: { code: "permission_denied", error: expect.stringContaining('"treasury"') },
    });
    expect(await harness.ask(`POST ${path}`, { key, body: { ...body, permissions: ["manage"] } })).toMatchObject({
      status: 422,
      body: { code: "invalid_input", details: [{ path: "/roles" }] },
    });
  });

  test.each([
    ["the other environment", { name: "k", environment: "live" }, 403, "environment_mismatch"],
    ["no name", { environment: "sandbox" }, 400, "malformed_request"],
    ["no environment", { name: "k" }, 400, "malformed_request"],
    ["an unknown environment", { name: "k", environment: "mars" }, 400, "malformed_request"],
    ["a person", { name: "k", environment: "sandbox", person: "ceo" }, 400, "unknown_field"],
    [
      "a duplicate permission",
      { name: "k", environment: "sandbox", permissions: ["run", "run"] },
      400,
      "malformed_request",
    ],
  ])("with %s is refused", async (_what, body, status, code) => {
    const harness = await createHarness();
    expect(await harness.ask(`POST ${path}`, { key: await harness.key(), body })).toMatchObject({
      status,
      body: { code },
    });
  });
});

test("GET api-keys lists the keys of both environments, to a key of either", async () => {
  const harness = await createHarness();
  const keys = [await harness.key([], "sandbox"), await harness.key([], "live")];
  for (const key of keys) {
    const { body } = await harness.ask(`GET ${path}`, { key });
    expect((body["data"] as { environment: string }[]).map(({ environment }) => environment).sort()).toEqual([
      "live",
      "sandbox",
    ]);
  }
});

describe("DELETE api-keys/:id", () => {
  test("answers success; then the key is answered 401, and its id 404", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const { body } = await harness.ask(`POST ${path}`, { key, body: { name: "ci", environment: "sandbox" } });
    const { id, key: doomed } = body;
    expect((await harness.ask(`GET ${path}`, { key: textOf(doomed) })).status).toBe(200);
    const deleted = await harness.ask(`DELETE ${path}/${textOf(id)}`, { key });
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ success: true });
    expect((await harness.ask(`GET ${path}`, { key: textOf(doomed) })).status).toBe(401);
    expect(await harness.ask(`DELETE ${path}/${textOf(id)}`, { key })).toMatchObject({
      status: 404,
      body: { error: expect.any(String), code: "api_key_not_found" },
    });
  });

  test("of the other environment is a 403, and the key stays valid", async () => {
    const harness = await createHarness();
    const live = await harness.key(["manage"], "live");
    const { body } = await harness.ask(`GET ${path}`, { key: live });
    const [{ id } = { id: "" }] = body["data"] as { id: string }[];
    const answer = await harness.ask(`DELETE ${path}/${id}`, { key: await harness.key(["manage"], "sandbox") });
    expect(answer).toMatchObject({ status: 403, body: { code: "environment_mismatch" } });
    expect((await harness.ask(`GET ${path}`, { key: live })).status).toBe(200);
  });

  test("a key may delete itself", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const { body } = await harness.ask(`GET ${path}`, { key });
    const [{ id } = { id: "" }] = body["data"] as { id: string }[];
    expect((await harness.ask(`DELETE ${path}/${id}`, { key })).status).toBe(200);
    expect((await harness.ask(`GET ${path}`, { key })).status).toBe(401);
  });
});
