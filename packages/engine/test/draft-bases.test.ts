/*
 * A draft is based on a version. Publishing the draft must not silently undo a version that another person published
 * meanwhile.
 */
import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

const ben = { person: "ben" };
const named = (name: string) => procedure([call("a", "once")], { name });
const outdated = { code: "draft_outdated", status: 409 };

const save = (harness: Harness, revision: number, basedOn?: string, name = "Draft") =>
  harness.engine.procedures.saveDraft({
    procedureId: "p",
    document: named(name),
    revision,
    ...(basedOn !== undefined && { basedOn }),
    by: alice,
  });
const publishDraft = (harness: Harness, version: string, more: { readonly basedOn?: string } = {}) =>
  harness.engine.procedures.publish({ procedureId: "p", version, ...more, by: alice });
const publishDocument = (harness: Harness, version: string) =>
  harness.engine.procedures.publish({ document: named(`By Ben ${version}`), version, by: ben });
const baseOf = async (harness: Harness) => (await harness.engine.procedures.get({ procedureId: "p" })).draft?.basedOn;

describe("a draft is based on", () => {
  test("no version, before there is one", async () => {
    const harness = await createHarness();
    await save(harness, 0);
    expect((await harness.engine.procedures.get({ procedureId: "p" })).draft).not.toHaveProperty("basedOn");
  });

  test("the newest version when it was begun, through all of its revisions", async () => {
    const harness = await createHarness();
    await publishDocument(harness, "v1");
    await save(harness, 0);
    await publishDocument(harness, "v2");
    await save(harness, 1);
    expect(await baseOf(harness)).toBe("v1");
  });

  test("the version that its editor names, which must exist", async () => {
    const harness = await createHarness();
    await publishDocument(harness, "v1");
    await publishDocument(harness, "v2");
    await save(harness, 0, "v1");
    expect(await baseOf(harness)).toBe("v1");
    await save(harness, 1, "v2");
    expect(await baseOf(harness)).toBe("v2");
    await expect(save(harness, 2, "v3")).rejects.toMatchObject({ code: "version_not_found" });
    expect(await baseOf(harness)).toBe("v2");
  });

  test("the version that was last published from it", async () => {
    const harness = await createHarness();
    await publishDocument(harness, "v1");
    await save(harness, 0);
    await publishDraft(harness, "v2");
    expect(await baseOf(harness)).toBe("v2");
    await save(harness, 1);
    await publishDraft(harness, "v3");
    await publishDocument(harness, "v4");
    expect(await baseOf(harness)).toBe("v3");
  });

  test("a version that it was compared with after it was published, rather than on the published one", async () => {
    const harness = await createHarness();
    await save(harness, 0);
    await publishDraft(harness, "v1");
    await publishDocument(harness, "v2");
    await save(harness, 1, "v2");
    expect(await baseOf(harness)).toBe("v2");
  });
});

describe("publishing a draft", () => {
  test("again and again needs no knowledge of the versions that were published from it", async () => {
    const harness = await createHarness();
    for (const [revision, version] of ["v1", "v2", "v3"].entries()) {
      await save(harness, revision);
      await publishDraft(harness, version);
    }
    await publishDraft(harness, "v4");
  });

  test("of an editor who loaded the revision that another person then published, succeeds", async () => {
    const harness = await createHarness();
    await publishDocument(harness, "v1");
    await save(harness, 0);
    await harness.engine.procedures.publish({ procedureId: "p", version: "v2", revision: 1, by: ben });
    await save(harness, 1);
    await publishDraft(harness, "v3");
  });

  test.each([
    ["begun from the version before", "v1"],
    ["begun before there was a version", undefined],
  ])("that was %s is refused, and loses nothing", async (_what, base) => {
    const harness = await createHarness();
    if (base !== undefined) await publishDocument(harness, base);
    await save(harness, 0);
    await publishDocument(harness, "v2");
    await expect(publishDraft(harness, "v3")).rejects.toMatchObject({
      ...outdated,
      message:
        'Version "v2", published by ben, is now the newest of "p". The draft does not contain its changes, and would ' +
        'undo them. Compare the draft with it, then publish with basedOn "v2".',
    });
    const { draft, versions } = await harness.engine.procedures.get({ procedureId: "p" });
    expect(draft).toMatchObject({ revision: 1, document: { name: "Draft" } });
    expect(versions[0]).toMatchObject({ version: "v2", name: "By Ben v2" });
    const changes = await harness.engine.audit.changes();
    expect(changes.some(({ subject }) => subject === "p@v3")).toBe(false);
  });

  test("succeeds with the newest version as it was read, or once the draft was compared with it", async () => {
    const harness = await createHarness();
    await save(harness, 0);
    await publishDocument(harness, "v1");
    await publishDraft(harness, "v2", { basedOn: "v1" });
    await publishDocument(harness, "v3");
    await save(harness, 1, "v3");
    await publishDraft(harness, "v4");
  });

  test("is refused when the newest version is not the one that was read", async () => {
    const harness = await createHarness();
    await save(harness, 0);
    await expect(publishDraft(harness, "v1", { basedOn: "v0" })).rejects.toMatchObject({
      ...outdated,
      message: '"p" has no version yet. Leave basedOn out.',
    });
    await publishDraft(harness, "v1");
    await publishDraft(harness, "v2");
    const stale = publishDraft(harness, "v3", { basedOn: "v1" });
    await expect(stale).rejects.toMatchObject({
      ...outdated,
      message:
        'Version "v2", published by alice, is now the newest of "p". Compare the draft with it, then publish with basedOn "v2".',
    });
  });

  test("that was begun after a discarded one is refused for a version that the discarded one was based on", async () => {
    const harness = await createHarness();
    await publishDocument(harness, "v1");
    await save(harness, 0);
    await publishDraft(harness, "v2");
    await harness.engine.procedures.discardDraft({ procedureId: "p", revision: 1, by: alice });
    await save(harness, 0, "v1");
    expect(await baseOf(harness)).toBe("v1");
    await expect(publishDraft(harness, "v3")).rejects.toMatchObject(outdated);
  });

  test("is refused when another engine publishes while the request is being checked", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    await publishDocument(harness, "v1");
    await save(harness, 0);
    // After the check of the newest version, before the write.
    let isPublished = false;
    harness.engine.way.on("procedures.publish", async (work) => {
      if (!isPublished) {
        isPublished = true;
        await other.procedures.publish({ document: named("By Ben"), version: "v2", by: ben });
      }
      return await work();
    });
    await expect(publishDraft(harness, "v3")).rejects.toMatchObject(outdated);
    expect((await harness.engine.procedures.versions({ procedureId: "p", limit: 1 })).items[0]?.version).toBe("v2");
  });

  test("of two people at once, each with the newest version as they read it, publishes one", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    await publishDocument(harness, "v1");
    await save(harness, 0);
    const requests = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? harness.engine : other).procedures.publish({
        ...{ procedureId: "p", revision: 1, basedOn: "v1", version: `by-${index}` },
        by: { person: `person-${index}` },
      }),
    );
    const settled = await Promise.allSettled(requests);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of settled) if (result.status === "rejected") expect(result.reason).toMatchObject(outdated);
  });

  test("has a newest version as it was read, while a document has none", async () => {
    const harness = await createHarness();
    const both = { document: named("n"), version: "v1", basedOn: "v0", by: alice };
    await expect(harness.engine.procedures.publish(both)).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/basedOn" }],
    });
  });
});
