import type { JsonObject } from "@procedo/contract";
import { expect, test } from "vitest";
import { createHarness, documents, owner, textOf, type Harness } from "./harness.ts";

const path = "/api/v1/audit";

async function entriesFor(harness: Harness, key: string, query = ""): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  let cursor = "";
  do {
    const next = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = await harness.ask(`GET ${path}?limit=2${query}${next}`, { key });
    expect(page.status, page.text).toBe(200);
    entries.push(...(page.body["data"] as JsonObject[]));
    cursor = textOf(page.body["nextCursor"] ?? "");
  } while (cursor !== "");
  return entries;
}

test("GET audit lists the chain of its environment in reverse, each entry with its place and its hash", async () => {
  const harness = await createHarness();
  const key = await harness.key([], "sandbox");
  await harness.engine.procedures.publish({ document: documents.echo, version: "v7", by: owner });
  const chain = await harness.engine.audit.changes();
  expect(await entriesFor(harness, key)).toEqual(
    chain
      .filter(({ subject }) => !subject.startsWith("live/"))
      .toReversed()
      .map(({ atMs, details, ...change }) => ({
        ...change,
        at: new Date(atMs).toISOString(),
        ...(details !== undefined && { details }),
      })),
  );
});

test("GET audit shows a key of one environment nothing of the other, and no person", async () => {
  const harness = await createHarness();
  await harness.person({ email: "ana@example.com", access: { live: ["viewer"] } });
  const olga = await harness.person({ access: { sandbox: ["owner"], live: ["owner"] } });
  const key = await harness.key(["run", "manage", "review"], "sandbox", olga.email);
  await harness.key(["run"], "live", olga.email);
  const seen = await entriesFor(harness, key);
  const all = await harness.engine.audit.changes();
  const isShown = ({ subject, action }: { readonly subject: string; readonly action: string }) =>
    !subject.startsWith("live/") && !action.startsWith("person.");
  expect(seen.map(({ seq }) => seq)).toEqual(
    all
      .filter(isShown)
      .map(({ seq }) => seq)
      .toReversed(),
  );
  expect(seen.length).toBeLessThan(all.length - 2);
  const owned = await entriesFor(harness, olga.token, "&environment=live");
  expect(owned.some(({ action }) => action === "person.joined")).toBe(true);
  expect(owned.some(({ subject }) => textOf(subject).startsWith("sandbox/"))).toBe(false);
});

test("GET audit filters, and refuses filters that it does not know", async () => {
  const harness = await createHarness();
  const key = await harness.key([], "sandbox");
  const only = async (query: string) => (await entriesFor(harness, key, query)).map(({ action }) => action);
  expect(new Set(await only("&action=api_key.created"))).toEqual(new Set(["api_key.created"]));
  expect(await only("&subject=echo@v1")).toContain("procedure.published");
  expect(await only(`&person=${encodeURIComponent(owner.person.toUpperCase())}`)).not.toEqual([]);
  expect(await only("&person=nobody")).toEqual([]);
  expect(await only("&from=2999-01-01T00:00:00Z")).toEqual([]);
  expect(await only("&to=1999-01-01T00:00:00Z")).toEqual([]);
  for (const query of ["?from=yesterday", "?action=", "?by=olga", "?limit=0"]) {
    expect((await harness.ask(`GET ${path}${query}`, { key })).status, query).toBe(400);
  }
  const cursor = await harness.ask(`GET ${path}?cursor=abc`, { key });
  expect(cursor).toMatchObject({ status: 400, body: { code: "invalid_cursor" } });
});
