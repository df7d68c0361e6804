import type { AuditEntry, NewRecord, NewVersion, Scope } from "@procedo/storage";
import { expect, it } from "vitest";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";

const scope: Scope = { workspace: "acme", environment: "live" };
const nodes = useThreeNodes();

function record(id: string, changes: Partial<NewRecord> = {}): NewRecord {
  return { ...scope, kind: "connection", id, body: "{}", uniqueKeys: [], keys: [], ...changes };
}

function entry(seq: number, by: number): AuditEntry {
  return { seq, hash: `hash-${seq}-${by}`, body: `{"by":${by}}` };
}

function version(name: string, by: number): NewVersion {
  const who = { publishedBy: `person-${by}`, publishedAtMs: startMs + by };
  const { workspace } = scope;
  return { workspace, procedureId: "pay", version: name, name: "Pay", document: `{"by":${by}}`, ...who };
}

it("one of thirty writers of the same revision on three nodes succeeds", async () => {
  const { storages, node } = nodes();
  for (const revision of [0, 1]) {
    const results = await together(30, (number) =>
      node(number).records.put({ record: record("ledger", { body: `${revision}-${number}` }), ifRevision: revision }),
    );
    const stored = results.flatMap(({ status }, number) => (status === "stored" ? [number] : []));
    expect(stored).toHaveLength(1);
    expect(results.filter(({ status }) => status === "conflict")).toHaveLength(29);
    const row = await storages[0].records.get(record("ledger"));
    expect(row).toMatchObject({ revision: revision + 1, body: `${revision}-${stored[0] ?? ""}` });
  }
});

it("one of thirty workspaces gets the unique keys that all request, in any order", async () => {
  const { storages, node } = nodes();
  const results = await together(30, (number) => {
    const uniqueKeys = number % 2 === 0 ? ["a", "b"] : ["b", "a"];
    const wanted = record("key", { workspace: `workspace-${number}`, kind: "api_key", uniqueKeys });
    return node(number).records.put({ record: wanted, ifRevision: 0 });
  });
  const winner = results.findIndex(({ status }) => status === "stored");
  for (const [number, result] of results.entries()) {
    if (number === winner) continue;
    expect(result).toEqual({ status: "taken", uniqueKey: number % 2 === 0 ? "a" : "b" });
  }
  for (const uniqueKey of ["a", "b"]) {
    const found = await storages[0].records.find({ kind: "api_key", uniqueKey });
    expect(found?.workspace).toBe(`workspace-${winner}`);
  }
});

it("a name is published once on three nodes, with the document of its publisher", async () => {
  const { storages, node } = nodes();
  const results = await together(30, (number) =>
    node(number).procedures.publish({
      version: version("v1", number),
      defaultIn: [],
      defaultIfFirst: "live",
      audit: entry(1, number),
    }),
  );
  const published = results.indexOf("published");
  expect(results.filter((result) => result === "version_exists")).toHaveLength(29);
  const stored = await storages[0].procedures.version(version("v1", 0));
  expect(stored).toEqual(version("v1", published));
  expect(await storages[1].audit.list({ ...scope, afterSeq: 0, limit: 9 })).toEqual([entry(1, published)]);
});

it("one of several concurrent entries with the same place in the chain is stored, and the others change nothing", async () => {
  const { storages, node } = nodes();
  const event = { event: "test", createdAtMs: startMs, data: "{}" };
  const write = async (number: number): Promise<string> => {
    const { records, procedures, deliveries } = node(number);
    const audit = entry(1, number);
    if (number % 3 === 0) {
      return (await records.put({ record: record(`record-${number}`), ifRevision: 0, audit })).status;
    }
    if (number % 3 === 1) {
      const published = version(`v${number}`, number);
      return procedures.publish({ version: published, defaultIn: [], defaultIfFirst: "live", audit });
    }
    const posted = { scope, webhookId: "hook-1", event: { ...event, eventId: `event-${number}` }, audit };
    return (await deliveries.post(posted)).status;
  };
  const results = await together(30, write);
  const winner = results.findIndex((result) => result !== "audit_behind");
  expect(results.filter((result) => result === "audit_behind")).toHaveLength(29);
  expect(await storages[0].audit.list({ ...scope, afterSeq: 0, limit: 9 })).toEqual([entry(1, winner)]);

  const [storage] = storages;
  const found = [
    ...(await storage.records.list({ ...scope, kind: "connection", limit: 100 })).items,
    ...(await storage.procedures.versions({ ...scope, procedureId: "pay", limit: 100 })).items,
    ...(await storage.deliveries.list({ scope, webhookId: "hook-1", limit: 100 })).items,
  ];
  expect(found).toHaveLength(1);
});

it("a chain that three nodes write to has each place once, and a writer behind its head gets the next", async () => {
  const { storages, node } = nodes();
  await together(9, async (number) => {
    const { audit, records } = node(number);
    for (let written = 0; written < 5;) {
      const seq = ((await audit.head(scope))?.seq ?? 0) + 1;
      const wanted = record(`record-${number}-${written}`);
      const { status } = await records.put({ record: wanted, ifRevision: 0, audit: entry(seq, number) });
      if (status === "stored") written++;
      else expect(status).toBe("audit_behind");
    }
  });
  const chain = await storages[0].audit.list({ ...scope, afterSeq: 0, limit: 100 });
  expect(chain.map(({ seq }) => seq)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
});
