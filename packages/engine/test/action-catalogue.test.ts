import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { createConnectionHarness, type ConnectionHarness } from "./connection-harness.ts";
import { documentText } from "./listed-api.ts";

const sandbox = { environment: "sandbox" } as const;

/** Connects to a document with these actions. Ids of connections follow the clock. */
async function connect(harness: ConnectionHarness, name: string, actions: readonly string[]) {
  await harness.clock.advance(1);
  const listed = actions.map((action) => ({ name: action, at: `POST /${action}` }));
  return await harness.connect({
    name,
    settings: { spec: { text: documentText({ server: harness.api.url, actions: listed }) } },
  });
}

/** The catalogue in pages of this size, as `connection.action`. */
async function namesOf(harness: ConnectionHarness, limit: number, query: object = {}): Promise<readonly string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const request = { ...sandbox, limit, ...query, ...(cursor !== undefined && { cursor }) };
    const page = await harness.engine.connections.catalogue(request);
    names.push(...page.items.map(({ connection, name }) => `${connection}.${name}`));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
}

describe("the catalogue of actions", () => {
  test.each([1, 2, 3, 100])("lists all connections of an environment, in pages of %i", async (limit) => {
    const harness = await createConnectionHarness();
    await connect(harness, "bills", ["pay", "look"]);
    await connect(harness, "vendors", ["find", "pay"]);
    await harness.connect({ environment: "live", name: "ours" });
    const documented = ["bills.pay", "bills.look", "vendors.find", "vendors.pay"];
    const names = await namesOf(harness, limit);
    expect(names.filter((name) => documented.includes(name))).toEqual(documented);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith("ours."))).toEqual([]);
    expect(await namesOf(harness, limit, { search: "pay", connection: "vendors" })).toEqual(["vendors.pay"]);
    expect(await namesOf(harness, limit, { connection: "unknown" })).toEqual([]);
  });

  test("lists an integration that needs no connection, unless a connection has its name", async () => {
    const harness = await createConnectionHarness();
    const ofBank = (names: readonly string[]) => names.filter((name) => name.startsWith("bank."));
    const implied = ofBank(await namesOf(harness, 100));
    expect(implied).not.toEqual([]);
    await connect(harness, "bank", ["steal"]);
    expect(ofBank(await namesOf(harness, 100))).toEqual(["bank.steal"]);
    expect(ofBank(await namesOf(harness, 100, { environment: "live" }))).toEqual(implied);
  });

  test("covers 10 connections with one page, which may be empty", async () => {
    const harness = await createConnectionHarness();
    for (let number = 0; number < 12; number++) await connect(harness, `c${number}`, [`a${number}`]);
    const first = await harness.engine.connections.catalogue({ ...sandbox, limit: 100, search: "a11" });
    expect(first.items).toEqual([]);
    expect(first.nextCursor).toBeDefined();
    expect(await namesOf(harness, 100, { search: "a11" })).toEqual(["c11.a11"]);
  });

  test("continues with the next connection after one that was removed between two pages", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await connect(harness, "bills", ["pay", "look"]);
    await connect(harness, "vendors", ["find", "keep"]);
    const query = { ...sandbox, limit: 1, search: "" };
    const all = await namesOf(harness, 100);
    const before = all.indexOf("bills.pay") + 1;
    const { nextCursor = "" } = await harness.engine.connections.catalogue({ ...query, limit: before });
    await harness.engine.connections.remove({ ...sandbox, connectionId, by: alice });
    const { items } = await harness.engine.connections.catalogue({ ...query, limit: 100, cursor: nextCursor });
    expect(items.map(({ name }) => name)).toEqual(["find", "keep"]);
  });

  test("refuses a cursor of another search", async () => {
    const harness = await createConnectionHarness();
    const { nextCursor = "" } = await harness.engine.connections.catalogue({ ...sandbox, limit: 1 });
    const other = { ...sandbox, limit: 1, search: "pay", cursor: nextCursor };
    await expect(harness.engine.connections.catalogue(other)).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});

describe("an action", () => {
  test("is found by its name and by a former name, and lists its former names", async () => {
    const harness = await createConnectionHarness();
    const place = await connect(harness, "bills", ["pay"]);
    const { connectionId } = place;
    const document = { server: harness.api.url, actions: [{ name: "send", at: "POST /pay" }] };
    const settings = { spec: { text: documentText(document) } };
    await harness.engine.connections.update({ ...sandbox, connectionId, settings, by: alice });
    for (const name of ["send", "pay"]) {
      expect(await harness.engine.connections.action({ ...sandbox, connectionId, name })).toMatchObject({
        name: "send",
        formerNames: ["pay"],
        requiresReview: false,
      });
    }
    const missing = harness.engine.connections.action({ ...sandbox, connectionId, name: "none" });
    await expect(missing).rejects.toMatchObject({ code: "not_found" });
  });
});
