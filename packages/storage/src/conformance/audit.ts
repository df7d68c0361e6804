import { describe, expect, it } from "vitest";
import type { AuditPage, AuditSearch } from "../audit.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { audit, record } from "./samples.ts";

export function describeAudit(options: ConformanceOptions): void {
  describe("audit", () => {
    const harness = useHarness(options);

    async function append(workspace: string, seq: number): Promise<string> {
      const { records } = harness().storage;
      const written = record(`${workspace}-${seq}`, { workspace });
      return (await records.put({ record: written, ifRevision: 0, audit: audit(seq) })).status;
    }

    it("is one chain for each workspace, read in order", async () => {
      const { audit: chain } = harness().storage;
      expect(await chain.head({ workspace: "acme" })).toBeUndefined();
      for (const seq of [1, 2, 3]) expect(await append("acme", seq)).toBe("stored");
      expect(await append("globex", 1)).toBe("stored");
      expect(await chain.head({ workspace: "acme" })).toEqual(audit(3));
      expect(await chain.head({ workspace: "globex" })).toEqual(audit(1));
      const list = { workspace: "acme", limit: 10 };
      expect(await chain.list({ ...list, afterSeq: 0 })).toEqual([audit(1), audit(2), audit(3)]);
      expect(await chain.list({ ...list, afterSeq: 1, limit: 1 })).toEqual([audit(2)]);
      expect(await chain.list({ ...list, afterSeq: 3 })).toEqual([]);
      expect(await chain.list({ ...list, workspace: "unknown", afterSeq: 0 })).toEqual([]);
    });

    const seqs = async (
      search: Omit<AuditSearch, "workspace" | "limit">,
      limit: number,
    ): Promise<readonly number[]> => {
      const found: number[] = [];
      let next: { readonly beforeSeq?: number } | undefined = {};
      while (next !== undefined) {
        const page: AuditPage = await harness().storage.audit.listNewest({
          workspace: "acme",
          ...search,
          ...next,
          limit,
        });
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        found.push(...page.entries.map(({ seq }) => seq));
        next = page.nextBeforeSeq === undefined ? undefined : { beforeSeq: page.nextBeforeSeq };
      }
      return found;
    };

    /** 45 entries of two people, an hour apart, on three subjects in turn. The last body cannot be read. */
    async function fillChain(): Promise<void> {
      const { records } = harness().storage;
      for (let seq = 1; seq <= 45; seq++) {
        const fact = { atMs: startMs + seq * 3_600_000, action: "key.created", by: "ada", subject: `key-${seq % 3}` };
        if (seq > 30) Object.assign(fact, { action: "key.deleted", by: "bob" });
        const entry = { seq, hash: `hash-${seq}`, body: seq === 45 ? "{" : JSON.stringify(fact) };
        await records.put({ record: record(`record-${seq}`), ifRevision: 0, audit: entry });
      }
    }

    const from = (first: number, last: number): readonly number[] =>
      Array.from({ length: first - last + 1 }, (_, index) => first - index);

    it("is listed newest first by its filters, in pages of any size", async () => {
      await fillChain();
      for (const limit of [1, 7, 44, 100]) {
        expect(await seqs({}, limit)).toEqual(from(45, 1));
        expect(await seqs({ beforeSeq: 4 }, limit)).toEqual([3, 2, 1]);
        expect(await seqs({ beforeSeq: 1 }, limit)).toEqual([]);
        expect(await seqs({ action: "key.deleted" }, limit)).toEqual(from(44, 31));
        expect(await seqs({ by: "ada", beforeSeq: 9 }, limit)).toEqual(from(8, 1));
        expect(await seqs({ by: "Ada" }, limit)).toEqual([]);
        expect(await seqs({ by: "bob", subject: "key-0" }, limit)).toEqual([42, 39, 36, 33]);
        expect(await seqs({ fromMs: startMs + 40 * 3_600_000 }, limit)).toEqual(from(44, 40));
        expect(await seqs({ toMs: startMs + 3 * 3_600_000 }, limit)).toEqual([2, 1]);
        expect(await seqs({ fromMs: startMs + 2 * 3_600_000, toMs: startMs + 5 * 3_600_000 }, limit)).toEqual([
          4, 3, 2,
        ]);
      }
      expect((await harness().storage.audit.listNewest({ workspace: "globex", limit: 9 })).entries).toEqual([]);
    });

    it("is listed in pages that examine a bounded number of entries", async () => {
      const { records, audit: chain } = harness().storage;
      const long = JSON.stringify({ action: "other", list: "x".repeat(300_000) });
      for (let seq = 1; seq <= 30; seq++) {
        const entry = { seq, hash: `hash-${seq}`, body: seq === 1 ? '{"action":"first"}' : long };
        await records.put({ record: record(`record-${seq}`), ifRevision: 0, audit: entry });
      }
      const first = await chain.listNewest({ workspace: "acme", action: "first", limit: 9 });
      expect(first.entries).toEqual([]);
      expect(first.nextBeforeSeq).toBeGreaterThan(1);
      expect(await seqs({ action: "first" }, 9)).toEqual([1]);
    });

    it("accepts one of several entries with the same seq", async () => {
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          harness().storage.records.put({ record: record(`record-${index}`), ifRevision: 0, audit: audit(1) }),
        ),
      );
      expect(results.filter(({ status }) => status === "stored")).toHaveLength(1);
      expect(results.filter(({ status }) => status === "audit_behind")).toHaveLength(9);
      expect(
        (await harness().storage.records.list({ workspace: "acme", kind: "connection", limit: 99 })).items,
      ).toHaveLength(1);
    });
  });
}
