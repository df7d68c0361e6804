import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
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
