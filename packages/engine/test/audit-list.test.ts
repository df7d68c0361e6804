/*
 * The list of the workspace's changes: the entries of the chain, newest first, for the callers of one environment.
 */
import { describe, expect, test } from "vitest";
import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { ChangeQuery, WorkspaceChange } from "@procedo/engine";
import type { Page } from "@procedo/storage";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

const hourMs = 3_600_000;
const url = "https://93.184.216.34/x";

/** A workspace with changes of every kind, in both environments. */
async function changed(): Promise<Harness> {
  const harness = await createHarness();
  const { engine, clock } = harness;
  await harness.publish(procedure([call("a", "once")]), { defaultIn: ["sandbox", "live"], by: { person: "Bea" } });
  await harness.run();
  for (const environment of ["sandbox", "live"] as const) {
    const { webhookId } = await engine.webhooks.create({ environment, url, events: ["run_failed"], by: alice });
    await engine.webhooks.update({ environment, webhookId, isActive: false, by: alice });
    const { keyId } = await engine.keys.create({ name: "k", environment, by: alice });
    await engine.keys.remove({ keyId, by: alice });
    await engine.procedures.setDefault({ procedureId: "p", version: "v1", environment, by: alice });
    await clock.advance(1_000);
  }
  const office = { name: "office", integration: "private_connection", by: alice } as const;
  await engine.connections.create(office);
  await engine.people.invite({ email: "ana@example.com", access: { live: ["viewer"] }, by: alice });
  await engine.procedures.publish({ document: procedure([]), version: "v2", by: alice });
  await clock.advance(hourMs);
  return harness;
}

async function listed(harness: Harness, query: Partial<ChangeQuery> = {}): Promise<readonly WorkspaceChange[]> {
  const changes: WorkspaceChange[] = [];
  let cursor: string | undefined;
  do {
    const request: ChangeQuery = { limit: 100, ...query, ...(cursor !== undefined && { cursor }) };
    const page: Awaited<ReturnType<typeof harness.engine.audit.list>> = await harness.engine.audit.list(request);
    expect(page.items.length).toBeLessThanOrEqual(request.limit);
    changes.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return changes;
}

const actionsOf = (changes: readonly WorkspaceChange[]) => changes.map(({ action }) => action);

describe("the list of changes", () => {
  test.each([1, 2, 7, 100])("is the chain in reverse, in pages of %i", async (limit) => {
    const harness = await changed();
    const chain = await harness.engine.audit.changes({ limit: 1_000 });
    expect(chain.length).toBeGreaterThan(12);
    expect(await listed(harness, { limit })).toEqual(chain.toReversed());
  });

  test("of one environment has the entries about it and about the workspace, in the order of the chain", async () => {
    const harness = await changed();
    const all = await listed(harness);
    for (const [environment, other] of [
      ["sandbox", "live"],
      ["live", "sandbox"],
    ] as const) {
      const own = await listed(harness, { environment, limit: 3 });
      expect(own.map(({ seq }) => seq)).toEqual(
        all.filter(({ subject }) => !subject.startsWith(`${other}/`)).map(({ seq }) => seq),
      );
      expect(own.map(({ hash }) => hash)).toEqual(own.map(({ seq }) => all.find((one) => one.seq === seq)?.hash));
      expect(actionsOf(own).toSorted()).toEqual([
        "api_key.created",
        "api_key.removed",
        "checkpoint",
        "connection.created",
        "person.invited",
        "procedure.default_set",
        "procedure.default_set",
        "procedure.published",
        "procedure.published",
        "webhook.created",
        "webhook.updated",
      ]);
    }
  });

  test("of one environment does not tell how many runs of the other a checkpoint lists", async () => {
    const harness = await changed();
    const checkpointIn = async (query: Partial<ChangeQuery>) =>
      (await listed(harness, { ...query, action: "checkpoint" }))[0] ?? expect.unreachable();
    const [whole, own] = [await checkpointIn({}), await checkpointIn({ environment: "live" })];
    expect(JSON.parse((whole.details as JsonObject)["statement"] as string)).toMatchObject({
      runs: { sandbox: { count: 1 } },
    });
    expect(own).toEqual({ ...whole, details: undefined });
  });

  test("of one environment tells the access of people to that one only", async () => {
    const harness = await createHarness();
    const { people } = harness.engine;
    const access = { sandbox: ["owner"], live: ["owner"] } as const;
    const { token } = await people.invite({ email: "olga@example.com", access, by: alice });
    await people.accept({ token, name: "Olga", password: "four eyes see more" });
    const given = { sandbox: ["viewer"], live: ["reviewer"] } as const;
    const invited = await people.invite({ email: "ana@example.com", access: given, by: alice });
    const { personId } = await people.accept({ token: invited.token, name: "Ana", password: "four eyes see more" });
    await people.update({ personId, access: { live: ["builder"] }, by: alice });
    const accessOf = async (query: Partial<ChangeQuery>) =>
      (await listed(harness, { ...query, subject: personId })).map(({ action, details }) => [
        action,
        (details as JsonObject)["access"],
      ]);
    expect(await accessOf({ environment: "sandbox" })).toEqual([
      ["person.joined", { sandbox: ["viewer"] }],
      ["person.invited", { sandbox: ["viewer"] }],
    ]);
    expect(await accessOf({ environment: "live" })).toEqual([
      ["person.access_changed", { from: { live: ["reviewer"] }, to: { live: ["builder"] } }],
      ["person.joined", { live: ["reviewer"] }],
      ["person.invited", { live: ["reviewer"] }],
    ]);
    expect(await accessOf({})).toEqual([
      ["person.access_changed", { from: given, to: { sandbox: ["viewer"], live: ["builder"] } }],
      ["person.joined", given],
      ["person.invited", given],
    ]);
    await people.update({ personId, access: { live: [] }, groups: ["audit"], by: alice });
    const [regrouped] = await listed(harness, { environment: "sandbox", subject: personId });
    expect(regrouped).toMatchObject({ action: "person.access_changed", details: { groups: { to: ["audit"] } } });
    expect(regrouped?.details).not.toHaveProperty("access");
  });

  test("is without people where they are not asked for", async () => {
    const harness = await changed();
    const all = await listed(harness);
    const rest = await listed(harness, { withPeople: false });
    expect(rest).toEqual(all.filter(({ action }) => action !== "person.invited"));
    expect(rest).toHaveLength(all.length - 1);
  });

  test("has full pages, although the entries of the other environment and of people are left out", async () => {
    const harness = await changed();
    for (let number = 0; number < 60; number++) {
      await harness.engine.keys.create({ name: `k${number}`, environment: "live", by: alice });
    }
    const query = { environment: "sandbox", withPeople: false, person: "alice" } as const;
    const shown = await listed(harness, { ...query, limit: 100 });
    for (const limit of [1, 3]) {
      const pages = [];
      let cursor: string | undefined;
      do {
        const at = cursor === undefined ? {} : { cursor };
        const page: Page<WorkspaceChange> = await harness.engine.audit.list({ ...query, limit, ...at });
        pages.push(page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(pages.flat()).toEqual(shown);
      expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(pages.slice(0, -1).map(() => limit));
    }
  });

  test("examines at most 1,000 entries for a page", async () => {
    const harness = await changed();
    let read = 0;
    harness.engine.way.on("audit.listNewest", async (_send, request) => {
      const { limit } = request as { readonly limit: number };
      read += limit;
      const body = JSON.stringify({ atMs: 0, action: "api_key.created", by: "a", via: "a", subject: "live/key_1" });
      const entries = Array.from({ length: limit }, (_, n) => ({ seq: 9_000 - read - n, hash: "h", body }));
      return { entries, nextBeforeSeq: 8_000 - read };
    });
    const page = await harness.engine.audit.list({ environment: "sandbox", limit: 1 });
    expect(page).toEqual({ items: [], nextCursor: expect.any(String) as string });
    expect(read).toBe(1_000);
  });

  test("is filtered by action, person, subject and time", async () => {
    const harness = await changed();
    const all = await listed(harness);
    const startMs = all.at(-1)?.atMs ?? 0;
    const filters: readonly [Partial<ChangeQuery>, (change: WorkspaceChange) => boolean, count: number][] = [
      [{ action: "procedure.published" }, ({ action }) => action === "procedure.published", 2],
      [{ person: "BEA" }, ({ by }) => by === "bea", 1],
      [{ subject: "p@v2" }, ({ subject }) => subject === "p@v2", 1],
      [{ fromMs: startMs + 1_000, toMs: startMs + 2_000 }, ({ atMs }) => atMs === startMs + 1_000, 5],
      [{ action: "procedure.published", person: "alice" }, ({ subject }) => subject === "p@v2", 1],
      [{ action: "procedure.deleted" }, () => false, 0],
    ];
    for (const [query, matches, count] of filters) {
      const found = await listed(harness, { ...query, limit: 2 });
      expect(found, JSON.stringify(query)).toEqual(all.filter(matches));
      expect(found, JSON.stringify(query)).toHaveLength(count);
    }
  });

  test("refuses the cursor of a list with other filters", async () => {
    const harness = await changed();
    const { nextCursor: cursor = "" } = await harness.engine.audit.list({ limit: 1, environment: "sandbox" });
    for (const query of [{}, { environment: "live" }, { environment: "sandbox", withPeople: false }] as const) {
      const page = harness.engine.audit.list({ limit: 1, ...query, cursor });
      await expect(page).rejects.toMatchObject({ code: "invalid_cursor" });
    }
  });

  test("names an entry that was changed so that it cannot be read", async () => {
    const harness = await changed();
    harness.engine.way.on("audit.listNewest", async (send) => {
      const page = (await send()) as { readonly entries: readonly { readonly seq: number }[] };
      return { ...page, entries: page.entries.map((entry) => ({ ...entry, body: "{}" })) };
    });
    const error: unknown = await harness.engine.audit.list({ limit: 1 }).catch((thrown: unknown) => thrown);
    expect(ProcedoError.isError(error) && error.code).toBe("journal_corrupted");
  });
});
