import { describe, expect, it } from "vitest";
import type { Environment } from "@procedo/contract";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import { audit, version } from "./samples.ts";

export function describeProcedures(options: ConformanceOptions): void {
  describe("procedures", () => {
    const harness = useHarness(options);
    const procedure = { workspace: "acme", procedureId: "vendor-payment" };

    const publish = (
      name: string,
      seq: number,
      defaultIn: readonly Environment[] = [],
      procedureId = "vendor-payment",
    ): Promise<string> =>
      harness().storage.procedures.publish({
        version: version(name, { procedureId }),
        defaultIn,
        defaultIfFirst: "sandbox",
        audit: audit(seq),
      });

    const defaults = async (): Promise<readonly (string | undefined)[]> => {
      const { procedures } = harness().storage;
      return [
        await procedures.defaultVersion({ ...procedure, environment: "sandbox" }),
        await procedures.defaultVersion({ ...procedure, environment: "live" }),
      ];
    };

    it("keep published versions unchanged", async () => {
      const { procedures } = harness().storage;
      expect(await publish("v1", 1)).toBe("published");
      expect(await procedures.version({ ...procedure, version: "v1" })).toEqual(version("v1"));
      expect(await procedures.version({ ...procedure, version: "v2" })).toBeUndefined();
      expect(await procedures.version({ ...procedure, workspace: "globex", version: "v1" })).toBeUndefined();
    });

    it("keep the revision of the draft that was published, and none for a given document", async () => {
      const { procedures } = harness().storage;
      await publish("v1", 1);
      const published = version("v2", { draftRevision: 7 });
      await procedures.publish({ version: published, defaultIn: [], defaultIfFirst: "sandbox", audit: audit(2) });
      expect(await procedures.version({ ...procedure, version: "v2" })).toEqual(published);
      const { items } = await procedures.versions({ ...procedure, limit: 10 });
      expect(items.map((row) => [row.version, row.draftRevision])).toEqual([
        ["v2", 7],
        ["v1", undefined],
      ]);
      expect(items.map((row) => "draftRevision" in row)).toEqual([true, false]);
    });

    it("refuse an existing version name, and change nothing", async () => {
      const { procedures, audit: chain } = harness().storage;
      await publish("v1", 1);
      const again = version("v1", { name: "Changed", document: '"changed"' });
      expect(
        await procedures.publish({ version: again, defaultIn: ["live"], defaultIfFirst: "live", audit: audit(2) }),
      ).toBe("version_exists");
      expect(await procedures.version({ ...procedure, version: "v1" })).toEqual(version("v1"));
      expect(await defaults()).toEqual(["v1", undefined]);
      expect((await procedures.list({ workspace: "acme", limit: 10 })).items[0]?.name).toBe(version("v1").name);
      expect((await chain.head({ workspace: "acme" }))?.seq).toBe(1);
    });

    it("publish one of several concurrent versions with the same name", async () => {
      const results = await Promise.all(Array.from({ length: 10 }, () => publish("v1", 1)));
      expect(results.filter((result) => result === "published")).toHaveLength(1);
      expect(results.filter((result) => result === "version_exists")).toHaveLength(9);
    });

    it("make the first version the default without a request, and no later one", async () => {
      await publish("v1", 1);
      expect(await defaults()).toEqual(["v1", undefined]);
      await publish("v2", 2);
      expect(await defaults()).toEqual(["v1", undefined]);
    });

    it("make a version the default on request", async () => {
      await publish("v1", 1, ["live"]);
      expect(await defaults()).toEqual([undefined, "v1"]);
      await publish("v2", 2, ["sandbox", "live"]);
      expect(await defaults()).toEqual(["v2", "v2"]);
    });

    it("set the default of one environment to an existing version", async () => {
      const { procedures } = harness().storage;
      await publish("v1", 1);
      await publish("v2", 2);
      const set = (name: string, procedureId: string, seq: number): Promise<string> =>
        procedures.setDefault({
          workspace: "acme",
          procedureId,
          environment: "live",
          version: name,
          audit: audit(seq),
        });
      expect(await set("v2", "vendor-payment", 3)).toBe("set");
      expect(await defaults()).toEqual(["v1", "v2"]);
      expect(await set("v1", "vendor-payment", 4)).toBe("set");
      expect(await defaults()).toEqual(["v1", "v1"]);
      expect(await set("v9", "vendor-payment", 5)).toBe("version_not_found");
      expect(await set("v1", "unknown", 5)).toBe("version_not_found");
      expect(await set("v2", "vendor-payment", 4)).toBe("audit_behind");
      expect(await defaults()).toEqual(["v1", "v1"]);
    });

    it("change nothing when the audit entry does not follow the head", async () => {
      const { procedures } = harness().storage;
      for (const seq of [0, 2, 3]) expect(await publish("v1", seq)).toBe("audit_behind");
      expect((await procedures.list({ workspace: "acme", limit: 10 })).items).toEqual([]);
      expect(await publish("v1", 1)).toBe("published");
      expect(await publish("v2", 1)).toBe("audit_behind");
      expect(await procedures.version({ ...procedure, version: "v2" })).toBeUndefined();
    });

    it("list versions newest first, without documents", async () => {
      const { procedures } = harness().storage;
      const names = ["v1", "v10", "v2", "a"];
      for (const [index, name] of names.entries()) await publish(name, index + 1);
      const { document: _document, ...summary } = version("a");
      expect((await procedures.versions({ ...procedure, limit: 1 })).items).toEqual([summary]);
      for (const limit of [1, 3, 4]) {
        const rows = await readAll(limit, (page) => procedures.versions({ ...procedure, ...page }));
        expect(rows.map((row) => row.version)).toEqual(names.toReversed());
      }
      const cursor = (await procedures.versions({ ...procedure, limit: 1 })).nextCursor ?? "";
      const other = procedures.versions({ workspace: "acme", procedureId: "refund", limit: 1, cursor });
      expect(await codeOf(other)).toBe("invalid_cursor");
    });

    it("list procedures by id with the newest name and the defaults", async () => {
      const { procedures } = harness().storage;
      await publish("v1", 1, [], "refund");
      await publish("v1", 2, ["live"], "approve");
      await publish("v2", 3, ["sandbox"], "approve");
      await procedures.publish({
        version: version("v1", { workspace: "globex", publishedAtMs: startMs }),
        defaultIn: [],
        defaultIfFirst: "live",
        audit: audit(1),
      });
      const expected = [
        {
          workspace: "acme",
          procedureId: "approve",
          name: "Vendor payment v2",
          defaults: { live: "v1", sandbox: "v2" },
        },
        { workspace: "acme", procedureId: "refund", name: "Vendor payment v1", defaults: { sandbox: "v1" } },
      ];
      for (const limit of [1, 2, 3]) {
        expect(await readAll(limit, (page) => procedures.list({ workspace: "acme", ...page }))).toEqual(expected);
      }
      for (const after of ["", "approve", "b", "refund"]) {
        expect((await procedures.list({ workspace: "acme", after, limit: 10 })).items).toEqual(
          expected.filter(({ procedureId }) => procedureId > after),
        );
      }
      const cursor = (await procedures.list({ workspace: "acme", limit: 1 })).nextCursor ?? "";
      expect(await codeOf(procedures.list({ workspace: "globex", limit: 1, cursor }))).toBe("invalid_cursor");
    });
  });
}
