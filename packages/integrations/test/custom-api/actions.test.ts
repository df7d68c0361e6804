import type { JsonObject } from "@procedo/contract";
import type { Action, CallContext, DocumentedConnection } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { customApi } from "../../src/custom-api/custom-api.ts";
import { laidOver, ledgerDocument, ledgerPaths, ledgerSettings, ready } from "./documents.ts";

async function connectionOf(settings: JsonObject, secrets = {}): Promise<DocumentedConnection> {
  return (await ready({ settings: { ...ledgerSettings(), ...settings }, secrets })).connection;
}

async function actionOf(connection: DocumentedConnection, name: string): Promise<Action> {
  const action = (await customApi().actions(connection)).get(name);
  if (action === undefined) throw new Error(`There is no action "${name}".`);
  return action;
}

const inputsOf = ({ input }: Action) => [Object.keys(input["properties"] as object), input["required"]];

test("each operation is an action with its name", async () => {
  const actions = await customApi().actions(await connectionOf({}));
  expect([...actions.keys()]).toEqual(["list_vendors", "pay.now", "deep", "health"]);
  expect(actions.get("pay.now")).toMatchObject({
    name: "pay.now",
    effect: "once",
    deprecated: false,
    operation: { operationId: "pay.now", method: "POST", path: "/payments" },
  });
});

describe("arguments", () => {
  test("are checked, all at once, with their pointers", async () => {
    const pay = await actionOf(await connectionOf({}), "pay.now");
    const right = { "Idempotency-Key": "k", amount: 5 };
    expect(pay.check(right)).toEqual([]);
    expect(pay.check({ ...right, amount: 1.5, note: 7, other: 1 }).map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/amount", "/note"]),
    );
    expect(pay.check({ ...right, other: 1 })).not.toEqual([]);
  });

  test("that no longer match are never sent", async () => {
    const pay = await actionOf(await connectionOf({}), "pay.now");
    const context = { fetch: () => Promise.reject(new Error("It was sent.")) } as unknown as CallContext;
    await expect(pay.call({ amount: 0 }, context)).rejects.toMatchObject({ outcome: "not_sent", mayRetry: false });
  });

  test("exclude parameters that the connection supplies", async () => {
    const plain = await connectionOf({});
    expect(inputsOf(await actionOf(plain, "list_vendors"))).toEqual([
      ["q", "api_key", "X-Key"],
      ["api_key", "X-Key"],
    ]);
    expect(inputsOf(await actionOf(plain, "pay.now"))).toEqual([
      ["Idempotency-Key", "amount", "note"],
      ["Idempotency-Key", "amount"],
    ]);
    const inHeader = {
      authentication: { method: "api_key_header", header: "x-key" },
      idempotencyHeader: "idempotency-KEY",
    };
    const keyed = await connectionOf(inHeader, { apiKey: "k" });
    expect(inputsOf(await actionOf(keyed, "list_vendors"))).toEqual([["q", "api_key"], ["api_key"]]);
    expect(inputsOf(await actionOf(keyed, "pay.now"))).toEqual([["amount", "note"], ["amount"]]);
    const inQuery = { authentication: { method: "api_key_query", parameter: "api_key" } };
    expect(inputsOf(await actionOf(await connectionOf(inQuery, { apiKey: "k" }), "list_vendors"))).toEqual([
      ["q", "X-Key"],
      ["X-Key"],
    ]);
  });
});

test("an effect may differ from the method's default", async () => {
  const connection = await connectionOf({ effects: { "pay.now": "idempotent", health: "once" } });
  expect([(await actionOf(connection, "pay.now")).effect, (await actionOf(connection, "health")).effect]).toEqual([
    "idempotent",
    "once",
  ]);
  expect((await actionOf(connection, "deep")).effect).toBe("read");
});

test("the retention of idempotency keys applies to every action, and is not part of a call", async () => {
  const plain = await connectionOf({});
  const kept = await connectionOf({ idempotencyKeyTtlMs: 300_000 });
  expect((await actionOf(plain, "pay.now")).idempotencyKeyTtlMs).toBeUndefined();
  expect((await actionOf(kept, "pay.now")).idempotencyKeyTtlMs).toBe(300_000);
  expect((await actionOf(kept, "pay.now")).revision).toBe((await actionOf(plain, "pay.now")).revision);
});

describe("a revision", () => {
  const revision = async (settings: JsonObject, secrets = {}) =>
    (await actionOf(await connectionOf(settings, secrets), "pay.now")).revision;

  test("changes with the request of a call or its destination", async () => {
    const { "/payments": payments, ...others } = ledgerPaths;
    const revisions = [
      await revision({}),
      await revision({ baseUrl: "https://other.test" }),
      await revision({ effects: { "pay.now": "idempotent" } }),
      await revision({ idempotencyHeader: "Idempotency-Key" }),
      await revision({
        spec: { text: ledgerDocument("https://ledger.test/v1", { ...others, "/pay": payments ?? null }) },
      }),
    ];
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  test("is unaffected by the document's order, descriptions and responses, and by the credentials", async () => {
    const reordered = Object.fromEntries(Object.entries(ledgerPaths).reverse());
    const { post, ...rest } = ledgerPaths["/payments"] as { post: JsonObject };
    const shuffled = JSON.parse(
      JSON.stringify(ledgerPaths, (_name, value: unknown) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      ),
    ) as JsonObject;
    const described = { ...ledgerPaths, "/payments": { ...rest, post: { ...post, description: "Pays." } } };
    const answered = {
      ...ledgerPaths,
      "/payments": {
        ...rest,
        post: {
          ...post,
          responses: { "200": { description: "Paid", content: { "application/json": { schema: {} } } } },
        },
      },
    };
    for (const settings of [
      { spec: { text: ledgerDocument("https://ledger.test/v1", reordered) } },
      { spec: { text: ledgerDocument("https://ledger.test/v1", shuffled) } },
      { spec: { text: ledgerDocument("https://ledger.test/v1", described) } },
      { spec: { text: ledgerDocument("https://ledger.test/v1", answered) } },
    ]) {
      expect(await revision(settings)).toBe(await revision({}));
    }
    expect(await revision({ authentication: { method: "bearer_token" } }, { token: "t" })).toBe(await revision({}));
  });
});

test("nothing is called while a change of the base URL is not confirmed", async () => {
  const before = await connectionOf({});
  const spec = { text: ledgerDocument("https://evil.test") };
  const { connection } = await ready(laidOver(before, { spec }));
  const context = { fetch: () => Promise.reject(new Error("It was sent.")) } as unknown as CallContext;
  await expect((await actionOf(connection, "health")).call({}, context)).rejects.toMatchObject({
    outcome: "not_sent",
    mayRetry: false,
  });
});

test("a comparison lists added, changed, deprecated, renamed and removed actions", async () => {
  const before = await connectionOf({});
  const {
    "/health": health,
    "/health/deep": deep,
    ...others
  } = ledgerPaths as Record<string, Record<string, JsonObject>>;
  const paths = {
    ...others,
    "/health": { get: { ...health?.["get"], operationId: "ping" } },
    "/payments": { post: { ...others["/payments"]?.["post"], deprecated: true } },
    "/new": { get: { ...deep?.["get"], operationId: "new" } },
  };
  const spec = { text: ledgerDocument("https://ledger.test/v1", paths) };
  const { changes } = await ready(laidOver(before, { spec, effects: { list_vendors: "once" } }));
  expect(changes).toEqual({
    added: ["new"],
    changed: ["list_vendors"],
    deprecated: ["pay.now"],
    renamed: [{ from: "health", to: "ping" }],
    removed: ["deep"],
  });
});
