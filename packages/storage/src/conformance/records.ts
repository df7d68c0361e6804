import { describe, expect, it } from "vitest";
import type { NewRecord, PutResult, RecordUse } from "../records.ts";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import { audit, record } from "./samples.ts";

export function describeRecords(options: ConformanceOptions): void {
  describe("records", () => {
    const harness = useHarness(options);
    const address = { workspace: "acme", kind: "connection", id: "ledger" };

    const put = (ifRevision: number, changes: Partial<NewRecord> = {}): Promise<PutResult> =>
      harness().storage.records.put({ record: record("ledger", changes), ifRevision });

    it("are replaced as a whole, guarded by their revision", async () => {
      const { records } = harness().storage;
      expect(await put(0, { keys: ["b", "a"], uniqueKeys: ["u"] })).toEqual({ status: "stored", revision: 1 });
      expect(await put(1, { body: '"second"', environment: undefined })).toEqual({ status: "stored", revision: 2 });
      expect(await records.get(address)).toEqual({
        ...record("ledger", { body: '"second"', environment: undefined }),
        revision: 2,
      });
      expect(await records.get({ ...address, id: "unknown" })).toBeUndefined();
      expect(await records.get({ ...address, kind: "webhook" })).toBeUndefined();
      expect(await records.get({ ...address, workspace: "globex" })).toBeUndefined();
    });

    it("return their keys", async () => {
      await put(0, { keys: ["b", "a", "b"], uniqueKeys: ["v", "u", "v"] });
      const row = await harness().storage.records.get(address);
      expect([[...(row?.keys ?? [])].sort(), [...(row?.uniqueKeys ?? [])].sort()]).toEqual([
        ["a", "b"],
        ["u", "v"],
      ]);
    });

    it.each([0, 1, 3])(
      "refuse a write to revision 2 that expects revision %i, and change nothing",
      async (revision) => {
        await put(0);
        await put(1);
        const before = await harness().storage.records.get(address);
        expect(await put(revision, { body: '"late"', uniqueKeys: ["late"] })).toEqual({ status: "conflict" });
        expect(await harness().storage.records.get(address)).toEqual(before);
        expect(await harness().storage.records.find({ kind: "connection", uniqueKey: "late" })).toBeUndefined();
      },
    );

    it("refuse a change of a record that does not exist", async () => {
      expect(await put(1)).toEqual({ status: "conflict" });
      expect(await harness().storage.records.get(address)).toBeUndefined();
    });

    it("accept one of several concurrent writers of the same revision", async () => {
      await put(0);
      const results = await Promise.all(Array.from({ length: 20 }, (_, index) => put(1, { body: `${index}` })));
      const winner = results.findIndex(({ status }) => status === "stored");
      expect(results.filter(({ status }) => status === "conflict")).toHaveLength(19);
      expect(await harness().storage.records.get(address)).toMatchObject({ revision: 2, body: `${winner}` });
    });

    it("are found by a unique key in any workspace", async () => {
      const { records } = harness().storage;
      await put(0, { uniqueKeys: ["hash-1", "hash-2"] });
      const found = await records.get(address);
      expect(await records.find({ kind: "connection", uniqueKey: "hash-1" })).toEqual(found);
      expect(await records.find({ kind: "connection", uniqueKey: "hash-2" })).toEqual(found);
      expect(await records.find({ kind: "api_key", uniqueKey: "hash-1" })).toBeUndefined();
      await put(1, { uniqueKeys: ["hash-2"] });
      expect(await records.find({ kind: "connection", uniqueKey: "hash-1" })).toBeUndefined();
    });

    it("refuse a unique key that another record of the kind holds, in any workspace, and change nothing", async () => {
      const { records } = harness().storage;
      await put(0, { uniqueKeys: ["free", "held"] });
      const rival = record("rival", { workspace: "globex", uniqueKeys: ["other", "held"] });
      expect(await records.put({ record: rival, ifRevision: 0 })).toEqual({ status: "taken", uniqueKey: "held" });
      expect(await records.find({ kind: "connection", uniqueKey: "other" })).toBeUndefined();
      expect(await records.put({ record: { ...rival, kind: "webhook" }, ifRevision: 0 })).toMatchObject({
        status: "stored",
      });
      expect(await put(1, { uniqueKeys: ["held", "new"] })).toMatchObject({ status: "stored" });
      expect(await records.put({ record: { ...rival, uniqueKeys: ["free"] }, ifRevision: 0 })).toMatchObject({
        status: "stored",
      });
    });

    it("share keys that are not unique", async () => {
      const { records } = harness().storage;
      await put(0, { keys: ["shared"] });
      expect(await records.put({ record: record("other", { keys: ["shared"] }), ifRevision: 0 })).toMatchObject({
        status: "stored",
      });
    });

    it("are removed with their keys", async () => {
      const { records } = harness().storage;
      await put(0, { uniqueKeys: ["held"], keys: ["key"] });
      expect(await records.remove({ ...address, workspace: "globex" })).toBe("not_found");
      expect(await records.remove({ ...address, ifRevision: 2 })).toBe("conflict");
      expect(await records.remove({ ...address, ifRevision: 1 })).toBe("removed");
      expect(await records.remove(address)).toBe("not_found");
      expect(await records.get(address)).toBeUndefined();
      expect(await records.find({ kind: "connection", uniqueKey: "held" })).toBeUndefined();
      expect(await put(0, { uniqueKeys: ["held"] })).toEqual({ status: "stored", revision: 1 });
    });

    describe("and their uses", () => {
      const kind = { workspace: "acme", kind: "connection" };
      const used = (usedAtMs: number, address?: string) => ({
        id: "ledger",
        usedAtMs,
        ...(address !== undefined && { address }),
      });
      const note = (...uses: readonly RecordUse[]) => harness().storage.records.noteUses({ ...kind, uses });
      const uses = async (...ids: readonly string[]) =>
        [...(await harness().storage.records.latestUses({ ...kind, ids }))].sort((a, b) => (a.id < b.id ? -1 : 1));

      it("keep the latest of those given and the stored one, with its address or without", async () => {
        await put(0);
        expect(await uses("ledger")).toEqual([]);
        await note(used(5, "10.0.0.5"), used(7, "10.0.0.7"), used(6));
        expect(await uses("ledger", "ledger")).toEqual([used(7, "10.0.0.7")]);
        await note(used(6, "10.0.0.6"));
        expect(await uses("ledger")).toEqual([used(7, "10.0.0.7")]);
        await note(used(8));
        expect(await uses("ledger")).toEqual([used(8)]);
      });

      it("are those of the asked records only", async () => {
        const { records } = harness().storage;
        for (const id of ["a", "b", "c"]) await records.put({ record: record(id), ifRevision: 0 });
        await records.put({ record: record("a", { workspace: "globex" }), ifRevision: 0 });
        await records.put({ record: record("a", { kind: "webhook" }), ifRevision: 0 });
        await note({ id: "a", usedAtMs: 1 }, { id: "b", usedAtMs: 2 });
        expect(await uses("a", "b", "c", "d")).toEqual([
          { id: "a", usedAtMs: 1 },
          { id: "b", usedAtMs: 2 },
        ]);
        expect(await uses("b")).toHaveLength(1);
        expect(await uses()).toEqual([]);
        expect(await records.latestUses({ ...kind, workspace: "globex", ids: ["a"] })).toEqual([]);
        expect(await records.latestUses({ ...kind, kind: "webhook", ids: ["a"] })).toEqual([]);
      });

      it("are ignored for records that do not exist, and removed with the record", async () => {
        const { records } = harness().storage;
        await note(used(1));
        await put(0);
        expect(await uses("ledger")).toEqual([]);
        await note(used(2), { id: "unknown", usedAtMs: 2 });
        await records.remove(address);
        await note(used(3));
        await put(0);
        expect(await uses("ledger")).toEqual([]);
      });

      it("change no record, no revision and no audit chain, and announce nothing", async () => {
        const { storage } = harness();
        await put(0, { uniqueKeys: ["u"], keys: ["k"] });
        const before = await storage.records.get(address);
        const announced = harness().changes.length;
        await note(used(4));
        expect(harness().changes.slice(announced)).toEqual([]);
        expect(await storage.records.get(address)).toEqual(before);
        expect(await uses("ledger")).toEqual([used(4)]);
        expect(await storage.audit.head({ workspace: "acme" })).toBeUndefined();
      });

      it("are kept by many writers at once, beside the removal of a record", async () => {
        const { records } = harness().storage;
        const ids = ["a", "b", "c", "d"];
        for (const id of ids) await records.put({ record: record(id), ifRevision: 0 });
        const writers = Array.from({ length: 20 }, (_, index) =>
          note(...(index % 2 === 0 ? ids : ids.toReversed()).map((id) => ({ id, usedAtMs: 100 + index }))),
        );
        await Promise.all([...writers, records.remove({ ...kind, id: "b" })]);
        expect(await uses(...ids)).toEqual(["a", "c", "d"].map((id) => ({ id, usedAtMs: 119 })));
      });
    });

    it("are written together with their audit entry, or not at all", async () => {
      const { records, audit: chain } = harness().storage;
      expect(await records.put({ record: record("ledger"), ifRevision: 0, audit: audit(2) })).toEqual({
        status: "audit_behind",
      });
      expect(await records.get(address)).toBeUndefined();
      await records.put({ record: record("ledger"), ifRevision: 0, audit: audit(1) });
      expect(await records.remove({ ...address, audit: audit(1) })).toBe("audit_behind");
      expect(await records.get(address)).toBeDefined();
      expect(await records.remove({ ...address, ifRevision: 9, audit: audit(2) })).toBe("conflict");
      expect(await chain.head({ workspace: "acme" })).toEqual(audit(1));
      expect(await records.remove({ ...address, audit: audit(2) })).toBe("removed");
      expect(await chain.head({ workspace: "acme" })).toEqual(audit(2));
    });

    it("are listed by id, for one environment or all", async () => {
      const { records } = harness().storage;
      const made = [
        record("c", { environment: "live" }),
        record("a"),
        record("d", { environment: undefined }),
        record("b"),
        record("e", { kind: "webhook" }),
        record("f", { workspace: "globex" }),
      ];
      for (const one of made) await records.put({ record: one, ifRevision: 0 });
      const query = { workspace: "acme", kind: "connection" };
      for (const limit of [1, 3, 4, 5]) {
        const all = await readAll(limit, (page) => records.list({ ...query, ...page }));
        expect(all.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
        const some = await readAll(limit, (page) => records.list({ ...query, environment: "sandbox", ...page }));
        expect(some.map(({ id }) => id)).toEqual(["a", "b"]);
      }
      for (const after of ["", "a", "ab", "d"]) {
        const rest = await records.list({ ...query, after, limit: 10 });
        expect(rest.items.map(({ id }) => id)).toEqual(["a", "b", "c", "d"].filter((id) => id > after));
      }
      const following = await readAll(1, (page) => records.list({ ...query, after: "a", ...page }));
      expect(following.map(({ id }) => id)).toEqual(["b", "c", "d"]);
      const cursor = (await records.list({ ...query, limit: 1 })).nextCursor ?? "";
      const others = [
        { ...query, environment: "sandbox" as const },
        { ...query, kind: "webhook" },
        { ...query, workspace: "globex" },
      ];
      for (const other of others) {
        expect(await codeOf(records.list({ ...other, limit: 1, cursor }))).toBe("invalid_cursor");
      }
    });
  });
}
