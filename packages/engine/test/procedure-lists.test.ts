import { procedureSchema, procedureSummarySchema, versionSchema, type ProcedureDocument } from "@procedo/contract";
import type { Principal } from "@procedo/engine";
import type { Page } from "@procedo/storage";
import { beforeEach, describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

const named = (procedureId: string, name = procedureId): ProcedureDocument =>
  procedure([call("a", "once")], { procedureId, name });

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});

const saveDraft = (procedureId: string, name?: string) =>
  harness.engine.procedures.saveDraft({ procedureId, document: named(procedureId, name), revision: 0, by: alice });

async function idsByPages(limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<typeof harness.engine.procedures.list>> = await harness.engine.procedures.list({
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ procedureId }) => procedureId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
}

describe("the list of procedures", () => {
  test("contains published procedures, drafts, and those that are both once, by id", async () => {
    await saveDraft("b-draft", "Only a draft");
    await harness.publish(named("a-published"), { environment: "live" });
    await harness.publish(named("c-both", "As published"));
    await saveDraft("c-both", "As written");
    const { items, nextCursor } = await harness.engine.procedures.list({ limit: 10 });
    const draft = { revision: 1, updatedAtMs: harness.clock.now(), by: "alice" };
    expect(items).toEqual([
      { procedureId: "a-published", name: "a-published", defaults: { live: "v1" } },
      { procedureId: "b-draft", name: "Only a draft", draft, defaults: {} },
      { procedureId: "c-both", name: "As published", draft, defaults: { sandbox: "v1" } },
    ]);
    expect(nextCursor).toBeUndefined();
  });

  test("reads few drafts at a time, because each may have a mebibyte", async () => {
    const ids = Array.from({ length: 33 }, (_, number) => `d${String(number).padStart(2, "0")}`);
    for (const id of ids) await saveDraft(id);
    const limits: number[] = [];
    harness.engine.way.on("records.list", (work, request) => {
      const { kind, limit } = request as { readonly kind: string; readonly limit: number };
      if (kind === "draft") limits.push(limit);
      return work();
    });
    for (const limit of [100, 33, 25, 1]) expect(await idsByPages(limit)).toEqual(ids);
    expect(Math.max(...limits)).toBe(4);
  });

  test("examines at most about 100 discarded drafts for a page, and contains the others in pages of any size", async () => {
    const number = (of: number) => String(of).padStart(3, "0");
    for (let of = 0; of < 250; of++) {
      await saveDraft(`d${number(of)}`);
      const by = alice;
      await harness.engine.procedures.discardDraft({ procedureId: `d${number(of)}`, revision: 1, by });
    }
    const published = ["a", "d050a", "d150a", "d240", "e"];
    for (const id of published) await harness.publish(named(id));
    const drafted = ["d120a", "d249a"];
    for (const id of drafted) await saveDraft(id);
    const all = [...published, ...drafted].sort();
    let reads = 0;
    harness.engine.way.on("records.list", (work, request) => {
      if ((request as { kind: string }).kind === "draft") reads += 1;
      return work();
    });
    await harness.engine.procedures.list({ limit: 100 });
    expect(reads).toBeLessThanOrEqual(26);
    for (const limit of [1, 2, 3, 100]) expect(await idsByPages(limit), `by ${limit}`).toEqual(all);
  });

  test("contains each of them once in pages of any size, in order", async () => {
    const drafted = ["a", "b", "d", "g", "h", "i", "z"];
    const published = ["b", "c", "e", "f", "g", "y"];
    for (const id of drafted) await saveDraft(id);
    for (const id of published) await harness.publish(named(id));
    const all = [...new Set([...drafted, ...published])].sort();
    for (let limit = 1; limit <= all.length + 1; limit++) expect(await idsByPages(limit), `by ${limit}`).toEqual(all);
  });

  test("finds those whose id or name contains each word of a search, drafts included, in pages of any size", async () => {
    await harness.publish(named("vendor-payment", "Pay a vendor"));
    await harness.publish(named("refund", "Refund a CUSTOMER"));
    await harness.publish(named("payroll", "Salaries"));
    await saveDraft("vendor-check", "Check vendors before a payment");
    await saveDraft("audit", "Audit");
    const found = async (search: string, limit = 10) => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const at = cursor === undefined ? {} : { cursor };
        const page: Awaited<ReturnType<typeof harness.engine.procedures.list>> = await harness.engine.procedures.list({
          search,
          limit,
          ...at,
        });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        ids.push(...page.items.map(({ procedureId }) => procedureId));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return ids;
    };
    for (const limit of [1, 2, 3, 10]) {
      expect(await found("PAYMENT vendor", limit)).toEqual(["vendor-check", "vendor-payment"]);
      expect(await found("pay", limit)).toEqual(["payroll", "vendor-check", "vendor-payment"]);
    }
    expect(await found("customer")).toEqual(["refund"]);
    expect(await found(" ")).toHaveLength(5);
    expect(await found("nothing")).toEqual([]);
  });

  test("examines at most 500 procedures for a page of a search, and goes on after them", async () => {
    for (let number = 0; number < 510; number++) await harness.publish(named(`p${String(number).padStart(3, "0")}`));
    const request = { search: "p509", limit: 100 };
    const first = await harness.engine.procedures.list(request);
    expect(first.items).toEqual([]);
    const rest = await harness.engine.procedures.list({ ...request, cursor: first.nextCursor ?? "" });
    expect(rest.items.map(({ procedureId }) => procedureId)).toEqual(["p509"]);
    expect(rest.nextCursor).toBeUndefined();
    await expect(harness.engine.procedures.list({ limit: 100, cursor: first.nextCursor ?? "" })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
  });

  test("refuses the cursor of another list, and an invalid cursor", async () => {
    for (const id of ["a", "b"]) await harness.publish(named(id));
    await harness.publish(named("a", "again"), { version: "v2" });
    for (const name of ["one", "two"]) await harness.engine.keys.create({ name, environment: "live", by: alice });
    const { procedures, keys } = harness.engine;
    const other = await harness.addEngine({ workspace: "other" });
    for (const procedureId of ["x", "y"]) {
      await other.procedures.saveDraft({ procedureId, document: {}, revision: 0, by: alice });
    }
    const foreign: readonly Page<unknown>[] = [
      await procedures.versions({ procedureId: "a", limit: 1 }),
      await keys.list({ limit: 1 }),
      await other.procedures.list({ limit: 1 }),
    ];
    for (const cursor of [...foreign.map(({ nextCursor }) => nextCursor ?? expect.unreachable()), "none", ""]) {
      await expect(procedures.list({ limit: 1, cursor })).rejects.toMatchObject({ code: "invalid_cursor" });
    }
    const own = (await procedures.list({ limit: 1 })).nextCursor ?? expect.unreachable();
    await expect(keys.list({ limit: 1, cursor: own })).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});

describe("one procedure", () => {
  test("shows its newest hundred versions, newest first; all versions are a list of their own", async () => {
    for (let version = 1; version <= 103; version++)
      await harness.publish(named("p", `n${version}`), { version: `v${version}` });
    const view = await harness.engine.procedures.get({ procedureId: "p" });
    expect(view.name).toBe("n103");
    expect(view.versions).toHaveLength(100);
    expect([view.versions[0]?.version, view.versions.at(-1)?.version]).toEqual(["v103", "v4"]);
    expect((await harness.engine.procedures.versions({ procedureId: "p", limit: 1000 })).items).toHaveLength(103);
  });

  test("without a draft and a version is not found, nor are its versions", async () => {
    const { get, versions } = harness.engine.procedures;
    await expect(get({ procedureId: "p" })).rejects.toMatchObject({ code: "procedure_not_found", status: 404 });
    await expect(versions({ procedureId: "p", limit: 5 })).rejects.toMatchObject({ code: "procedure_not_found" });
    await saveDraft("p");
    expect((await versions({ procedureId: "p", limit: 5 })).items).toEqual([]);
  });

  test("has all fields of the contract", async () => {
    const iso = (atMs: number) => new Date(atMs).toISOString();
    await harness.publish(named("p"));
    await saveDraft("p");
    const { draft, versions, ...view } = await harness.engine.procedures.get({ procedureId: "p" });
    const summary = ({ publishedAtMs, ...rest }: (typeof versions)[number]) => ({
      ...rest,
      publishedAt: iso(publishedAtMs),
    });
    const { document, updatedAtMs, ...stored } = draft ?? expect.unreachable();
    const { basedOn, ...state } = { ...stored, updatedAt: iso(updatedAtMs) };
    procedureSchema.parse({ ...view, draft: { ...state, basedOn, document }, versions: versions.map(summary) });
    const last7Days = { completed: 0, failed: 0 };
    procedureSummarySchema.parse({ ...view, draft: state, openReviews: 0, last7Days });
    const version = await harness.engine.procedures.version({ procedureId: "p", version: "v1" });
    versionSchema.parse({ ...summary(version), document: version.document });
  });
});

describe("publishing", () => {
  test("reports whether the same document was published before, and by whom", async () => {
    const first = await harness.engine.procedures.publish({ document: named("p"), version: "v1", by: alice });
    await harness.clock.advance(1_000);
    const again = await harness.engine.procedures.publish({
      document: named("p"),
      version: "v1",
      by: { person: "bob" },
    });
    expect(first.existing).toBe(false);
    expect(again).toEqual({ ...first, existing: true });
    expect(again.publishedBy).toBe("alice");
  });

  test("again, unchanged, makes it the default if requested, once", async () => {
    await harness.publish(named("p"), { version: "v1" });
    await harness.publish(named("p"), { version: "v2", defaultIn: ["sandbox"] });
    for (let start = 0; start < 2; start++) {
      await harness.publish(named("p"), { version: "v1", defaultIn: ["sandbox", "live"] });
    }
    const { defaults } = await harness.engine.procedures.get({ procedureId: "p" });
    expect(defaults).toEqual({ sandbox: "v1", live: "v1" });
    const changes = await harness.engine.audit.changes();
    expect(changes.filter(({ action }) => action === "procedure.default_set")).toHaveLength(2);
  });

  test("again, if that is to be refused, changes nothing", async () => {
    await harness.publish(named("p"), { version: "v1" });
    const again = harness.publish(named("p"), { version: "v1", defaultIn: ["live"], ifExists: "refuse" });
    await expect(again).rejects.toMatchObject({ code: "version_exists" });
    expect((await harness.engine.procedures.get({ procedureId: "p" })).defaults).toEqual({ sandbox: "v1" });
  });

  test("two first versions concurrently makes the first of them the default", async () => {
    const publish = (version: string) => harness.publish(named("p"), { version });
    await Promise.all([publish("v1"), publish("v2")]);
    const { defaults, versions } = await harness.engine.procedures.get({ procedureId: "p" });
    expect(defaults).toEqual({ sandbox: versions.at(-1)?.version });
  });

  describe("with a key of sandbox", () => {
    const key: Principal = { person: "k", environment: "sandbox", permissions: ["manage"] };

    test("makes the first version the default in sandbox", async () => {
      await harness.publish(named("p"), { by: key });
      expect((await harness.engine.procedures.get({ procedureId: "p" })).defaults).toEqual({ sandbox: "v1" });
    });

    test("with a key of live, in live", async () => {
      await harness.publish(named("p"), { by: { ...key, environment: "live" } });
      expect((await harness.engine.procedures.get({ procedureId: "p" })).defaults).toEqual({ live: "v1" });
    });

    test.each([{ defaultIn: ["live"] }, { defaultIn: ["sandbox", "live"] }, { environment: "live" }] as const)(
      "makes no default in live: %j",
      async (where) => {
        const published = harness.publish(named("p"), { by: key, ...where });
        await expect(published).rejects.toMatchObject({ code: "environment_mismatch", status: 403 });
        await expect(harness.engine.procedures.get({ procedureId: "p" })).rejects.toMatchObject({
          code: "procedure_not_found",
        });
      },
    );

    test("sets no default in live", async () => {
      await harness.publish(named("p"), { by: key });
      const set = (environment: "sandbox" | "live") =>
        harness.engine.procedures.setDefault({ procedureId: "p", environment, version: "v1", by: key });
      await expect(set("live")).rejects.toMatchObject({ code: "environment_mismatch" });
      await set("sandbox");
    });
  });
});
