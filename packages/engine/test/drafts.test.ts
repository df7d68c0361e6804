import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

const simple = procedure([call("a", "once")], { name: "Simple" });

function save(harness: Harness, document: JsonObject | typeof simple, revision: number, procedureId = "p") {
  return harness.engine.procedures.saveDraft({ procedureId, document, revision, by: alice });
}

test("a document that names another procedure has that problem", async () => {
  const harness = await createHarness();
  const document = procedure([], { procedureId: "other" });
  expect(await harness.engine.procedures.validate({ document, procedureId: "p" })).toMatchObject([
    { severity: "error", path: "/procedureId" },
  ]);
  expect(await harness.engine.procedures.validate({ document, procedureId: "other" })).toEqual([]);
});

describe("a draft", () => {
  test("is saved by revision, with the time and its problems", async () => {
    const harness = await createHarness();
    expect(await save(harness, simple, 0)).toEqual({
      revision: 1,
      updatedAtMs: harness.clock.now(),
      by: "alice",
      problems: [],
    });
    await harness.clock.advance(1_000);
    expect(await save(harness, { ...simple, name: "Changed" }, 1)).toMatchObject({
      revision: 2,
      updatedAtMs: harness.clock.now(),
    });
    expect(await harness.engine.procedures.get({ procedureId: "p" })).toEqual({
      procedureId: "p",
      name: "Changed",
      draft: {
        revision: 2,
        updatedAtMs: harness.clock.now(),
        by: "alice",
        document: { ...simple, name: "Changed" },
      },
      defaults: {},
      versions: [],
    });
  });

  test.each([
    ["nothing yet", {}],
    ["invalid", { procedureId: "p", nodes: [{ id: 5 }], edges: "none" }],
  ])("is saved when it is %s, with its problems", async (_what, document) => {
    const harness = await createHarness();
    const saved = await save(harness, document, 0);
    expect(saved.problems.some(({ severity }) => severity === "error")).toBe(true);
    expect(saved.problems).toEqual(await harness.engine.procedures.validate({ document }));
    expect((await harness.engine.procedures.get({ procedureId: "p" })).draft?.document).toEqual(document);
  });

  test.each([0, 1, 3, -1, 1.5])(
    "at revision 2 is not replaced by a draft that is based on revision %d",
    async (revision) => {
      const harness = await createHarness();
      await save(harness, simple, 0);
      await save(harness, simple, 1);
      const late = save(harness, { ...simple, name: "late" }, revision);
      await expect(late).rejects.toMatchObject({
        code: "revision_conflict",
        status: 409,
        message: expect.stringContaining("revision 2") as string,
      });
      expect((await harness.engine.procedures.get({ procedureId: "p" })).name).toBe("Simple");
    },
  );

  test("of twenty based on the same revision and saved at once in two engines keeps one", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    await save(harness, simple, 0);
    const saved = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? harness.engine : other).procedures.saveDraft({
          procedureId: "p",
          document: { ...simple, name: `n${index}` },
          revision: 1,
          by: alice,
        }),
      ),
    );
    const winners = saved.flatMap(({ status }, index) => (status === "fulfilled" ? [`n${index}`] : []));
    expect(winners).toHaveLength(1);
    const { name, draft } = await harness.engine.procedures.get({ procedureId: "p" });
    expect([name, draft?.revision]).toEqual([winners[0], 2]);
  });

  test("names the person who saved it last", async () => {
    const harness = await createHarness();
    await save(harness, simple, 0);
    const by = { person: "Ben@Example.com" };
    await harness.engine.procedures.saveDraft({ procedureId: "p", document: simple, revision: 1, by });
    expect((await harness.engine.procedures.get({ procedureId: "p" })).draft?.by).toBe("ben@example.com");
    expect((await harness.engine.procedures.list({ limit: 1 })).items[0]?.draft?.by).toBe("ben@example.com");
  });

  test.each([
    ["that is too long for a version is cut", "x".repeat(201), "x".repeat(200)],
    ["is cut between two characters", `${"x".repeat(199)}😀`, "x".repeat(199)],
    ["with line breaks stays unchanged", 'a,\n"b"],\r\n', 'a,\n"b"],\r\n'],
    ["that is empty is replaced with the id", "", "p"],
    ["that is not text is replaced with the id", 5, "p"],
  ])("whose name %s in lists keeps its name in the document", async (_what, name, shown) => {
    const harness = await createHarness();
    await save(harness, { procedureId: "p", name }, 0);
    const { items } = await harness.engine.procedures.list({ limit: 10 });
    expect(items.map((item) => item.name)).toEqual([shown]);
    const view = await harness.engine.procedures.get({ procedureId: "p" });
    expect([view.name, view.draft?.document]).toEqual([shown, { procedureId: "p", name }]);
  });

  test("is listed without reading its document", async () => {
    const harness = await createHarness();
    await save(harness, simple, 0);
    const { records } = harness.storage;
    const row = await records.get({ workspace: "default", kind: "draft", id: "p" });
    if (row === undefined) throw new Error("The draft is not stored.");
    const body = row.body.replace(/"nodes":.*/, '"nodes":');
    await records.put({ record: { ...row, body }, ifRevision: row.revision });
    expect((await harness.engine.procedures.list({ limit: 10 })).items).toMatchObject([{ name: "Simple" }]);
    await expect(harness.engine.procedures.get({ procedureId: "p" })).rejects.toThrow(SyntaxError);
  });

  test("keeps the saved content when its author changes the object afterwards", async () => {
    const harness = await createHarness();
    const document = { procedureId: "p", name: "before" };
    await save(harness, document, 0);
    document.name = "after";
    expect((await harness.engine.procedures.get({ procedureId: "p" })).draft?.document).toMatchObject({
      name: "before",
    });
  });

  test.each([
    ["of another procedure", { procedureId: "q" }],
    ["whose procedure id is not text", { procedureId: 5 }],
    ["of more than 1 MiB", { procedureId: "p", name: "x".repeat(1024 * 1024) }],
    ["that is a list", [] as never],
    ["that JSON cannot represent", { procedureId: "p", name: Number.NaN }],
  ])("%s is refused", async (_what, document) => {
    const harness = await createHarness();
    await expect(save(harness, document, 0)).rejects.toMatchObject({ code: "invalid_input" });
    await expect(harness.engine.procedures.get({ procedureId: "p" })).rejects.toMatchObject({
      code: "procedure_not_found",
    });
  });

  test.each(["", "../p", "a b", "x".repeat(129)])(
    "of a procedure with an invalid id is refused: %o",
    async (procedureId) => {
      const harness = await createHarness();
      await expect(save(harness, {}, 0, procedureId)).rejects.toMatchObject({ code: "invalid_input" });
    },
  );

  test("belongs to the workspace: it can be saved with the permission to manage in either environment", async () => {
    const harness = await createHarness();
    const as = (
      by: { environment: "sandbox" | "live"; permissions: readonly ("run" | "manage" | "review")[] },
      revision: number,
    ) =>
      harness.engine.procedures.saveDraft({ procedureId: "p", document: simple, revision, by: { person: "k", ...by } });
    await as({ environment: "sandbox", permissions: ["manage"] }, 0);
    await as({ environment: "live", permissions: ["manage"] }, 1);
    await expect(as({ environment: "live", permissions: ["run", "review"] }, 2)).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("of one workspace is invisible in another", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine({ workspace: "other" });
    await save(harness, simple, 0);
    await expect(other.procedures.get({ procedureId: "p" })).rejects.toMatchObject({ code: "procedure_not_found" });
    expect((await other.procedures.list({ limit: 10 })).items).toEqual([]);
    expect(
      await other.procedures.saveDraft({ procedureId: "p", document: simple, revision: 0, by: alice }),
    ).toMatchObject({ revision: 1 });
  });
});

describe("publishing a draft", () => {
  test("publishes the saved draft, and keeps it", async () => {
    const harness = await createHarness();
    await save(harness, simple, 0);
    expect(await harness.engine.procedures.publish({ procedureId: "p", version: "v1", by: alice })).toEqual({
      procedureId: "p",
      version: "v1",
      name: "Simple",
      publishedBy: "alice",
      publishedAtMs: harness.clock.now(),
      problems: [],
      existing: false,
    });
    expect((await harness.engine.procedures.version({ procedureId: "p", version: "v1" })).document).toEqual(simple);
    expect(await harness.engine.procedures.get({ procedureId: "p" })).toMatchObject({
      draft: { revision: 1 },
      defaults: { sandbox: "v1" },
      versions: [{ version: "v1" }],
    });
    expect((await harness.read(await harness.run())).status).toBe("completed");
  });

  test("with errors is refused with all of them", async () => {
    const harness = await createHarness();
    await save(harness, { procedureId: "p" }, 0);
    const published = harness.engine.procedures.publish({ procedureId: "p", version: "v1", by: alice });
    await expect(published).rejects.toMatchObject({ code: "invalid_document" });
  });

  test.each([
    ["of a procedure without a draft", { procedureId: "p" }, "procedure_not_found"],
    ["without an id", {}, "invalid_input"],
    ["against a document of another procedure", { procedureId: "q", document: simple }, "invalid_input"],
  ])("%s is refused", async (_what, request, code) => {
    const harness = await createHarness();
    const published = harness.engine.procedures.publish({ ...request, version: "v1", by: alice });
    await expect(published).rejects.toMatchObject({ code });
  });
});

describe("a discarded draft", () => {
  const discard = (harness: Harness, revision: number) =>
    harness.engine.procedures.discardDraft({ procedureId: "p", revision, by: alice });

  test("is gone from the procedure and from lists", async () => {
    const harness = await createHarness();
    await harness.publish(simple);
    await save(harness, simple, 0);
    await save(harness, { procedureId: "q", name: "Only a draft" }, 0, "q");
    await discard(harness, 1);
    await harness.engine.procedures.discardDraft({ procedureId: "q", revision: 1, by: alice });
    const { procedures } = harness.engine;
    expect(await procedures.get({ procedureId: "p" })).not.toHaveProperty("draft");
    await expect(procedures.get({ procedureId: "q" })).rejects.toMatchObject({ code: "procedure_not_found" });
    const { items } = await procedures.list({ limit: 10 });
    expect(items).toEqual([{ procedureId: "p", name: "Simple", defaults: { sandbox: "v1" } }]);
  });

  test("is recorded with its revision and its last author, once", async () => {
    const harness = await createHarness();
    await save(harness, simple, 0);
    await save(harness, simple, 1);
    await harness.engine.procedures.discardDraft({
      procedureId: "p",
      revision: 2,
      by: { person: "Ben", via: "key_1" },
    });
    await expect(discard(harness, 2)).rejects.toMatchObject({ code: "procedure_not_found" });
    const changes = await harness.engine.audit.changes({ limit: 10 });
    const details = { revision: 2, author: "alice" };
    const discarded = { action: "procedure.draft_discarded", by: "ben", via: "key_1", subject: "p", details };
    expect(changes).toEqual([expect.objectContaining(discarded)]);
    expect((await harness.engine.audit.list({ environment: "live", limit: 10 })).items).toEqual(changes);
  });

  test("is discarded by the revision that was read", async () => {
    const harness = await createHarness();
    await save(harness, simple, 0);
    await save(harness, simple, 1);
    for (const revision of [-1, 0, 1, 3]) {
      await expect(discard(harness, revision)).rejects.toMatchObject({
        code: "revision_conflict",
        message: expect.stringContaining("revision 2") as string,
      });
    }
    await discard(harness, 2);
    for (const revision of [0, 2, 3]) {
      await expect(discard(harness, revision)).rejects.toMatchObject({ code: "procedure_not_found" });
    }
  });

  test("leaves no revision that an editor of the discarded draft could replace", async () => {
    const harness = await createHarness();
    await save(harness, simple, 0);
    await discard(harness, 1);
    expect(await save(harness, { ...simple, name: "Begun anew" }, 0)).toMatchObject({ revision: 3 });
    for (const revision of [0, 1, 2]) {
      const late = save(harness, { ...simple, name: "Discarded" }, revision);
      await expect(late).rejects.toMatchObject({ code: "revision_conflict" });
    }
    expect((await harness.engine.procedures.get({ procedureId: "p" })).name).toBe("Begun anew");
  });

  test("is either saved over or discarded, of many requests at once in two engines", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    await save(harness, simple, 0);
    const requests = Array.from({ length: 10 }, (_, index) => {
      const { procedures } = index % 2 === 0 ? harness.engine : other;
      const request = { procedureId: "p", revision: 1, by: alice };
      return index < 5 ? procedures.discardDraft(request) : procedures.saveDraft({ ...request, document: simple });
    });
    const settled = await Promise.allSettled(requests);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("needs the permission to manage", async () => {
    const harness = await createHarness();
    await save(harness, simple, 0);
    const by = { person: "ray", environment: "live", permissions: ["run", "review"] } as const;
    const discarding = harness.engine.procedures.discardDraft({ procedureId: "p", revision: 1, by });
    await expect(discarding).rejects.toMatchObject({ code: "permission_denied" });
  });
});
