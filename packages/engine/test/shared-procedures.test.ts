/*
 * Procedures belong to the workspace: a person of one environment edits them, but neither reads nor changes the other
 * one.
 */
import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { calling, createConnectionHarness, type ConnectionHarness } from "./connection-harness.ts";
import { procedure, review } from "./documents.ts";

const sandbox = { environment: "sandbox" } as const;
const live = { environment: "live" } as const;
const sam = { person: "sam", ...sandbox };
const lea = { person: "lea", ...live };
const wrong = calling("pay", { arguments: { amount: "much" } });
const unknown = [{ code: "unknown_connection", severity: "warning" }];

const problemsOf = async (harness: ConnectionHarness, document: ReturnType<typeof procedure>) => {
  const { procedures } = harness.engine;
  const drafted = await procedures.saveDraft({ procedureId: "p", document, revision: 0, by: sam });
  const published = await procedures.publish({ document, version: "v2", by: sam });
  return [drafted.problems, published.problems];
};

describe("a person of one environment learns nothing about the other", () => {
  test("from the problems of a document that calls a connection of the other", async () => {
    const harness = await createConnectionHarness();
    await harness.connect(live);
    for (const [revision, document] of [calling(), calling("no_such_action"), wrong].entries()) {
      const draft = { procedureId: "p", document, revision, by: sam };
      expect((await harness.engine.procedures.saveDraft(draft)).problems).toMatchObject(unknown);
    }
  });

  test("from the warnings of publishing without a default", async () => {
    const harness = await createConnectionHarness();
    await harness.publish(procedure([]));
    await harness.connect(live);
    expect(await problemsOf(harness, wrong)).toMatchObject([unknown, unknown]);
    await harness.connect();
    const publishing = harness.engine.procedures.publish({ document: wrong, version: "v3", by: sam });
    await expect(publishing).rejects.toMatchObject({ code: "invalid_document" });
  });

  test("from the keys that can decide a review", async () => {
    const harness = await createConnectionHarness();
    const key = { name: "k", permissions: ["review"], roles: ["treasury"], person: "tina", by: alice } as const;
    await harness.engine.keys.create({ ...key, ...live });
    await harness.engine.keys.create({ ...key, ...sandbox, roles: [] });
    await harness.publish(procedure([]));
    const document = procedure([review("r", { reviewers: { roles: ["treasury"] } })]);
    const reported = [{ path: "/nodes/1/reviewers/roles/0", message: expect.stringContaining("of sandbox") as string }];
    expect(await problemsOf(harness, document)).toMatchObject([reported, reported]);
  });
});

describe("a draft that was saved in one environment", () => {
  const saved = async () => {
    const harness = await createConnectionHarness();
    const { procedures } = harness.engine;
    await procedures.saveDraft({ procedureId: "p", document: procedure([]), revision: 0, by: lea });
    await procedures.saveDraft({ procedureId: "p", document: procedure([]), revision: 1, by: sam });
    return procedures;
  };
  const draft = { procedureId: "p", version: "v1" };

  test("becomes a default of the other only by the revision that was read", async () => {
    const procedures = await saved();
    const unread = {
      code: "revision_conflict",
      message:
        'The draft of "p" was last saved in sandbox, and would become the default of live. ' +
        "Read it, then publish it with its revision, which is 2.",
    };
    // As the first version it would silently become the default of live.
    await expect(procedures.publish({ ...draft, by: lea })).rejects.toMatchObject(unread);
    await expect(procedures.publish({ ...draft, defaultIn: ["live"], by: lea })).rejects.toMatchObject(unread);
    await expect(procedures.publish({ ...draft, defaultIn: ["sandbox", "live"], by: alice })).rejects.toMatchObject(
      unread,
    );
    const earlier = procedures.publish({ ...draft, revision: 1, defaultIn: ["live"], by: lea });
    await expect(earlier).rejects.toMatchObject({ code: "revision_conflict" });
    await procedures.publish({ ...draft, revision: 2, defaultIn: ["live"], by: lea });
    expect(await procedures.get({ procedureId: "p" })).toMatchObject({ defaults: { live: "v1" } });
  });

  test("becomes a default of its own environment, and a non-default version of the other, without a revision", async () => {
    const procedures = await saved();
    await procedures.publish({ ...draft, by: sam });
    await procedures.publish({ ...draft, version: "v2", by: lea });
    expect(await procedures.get({ procedureId: "p" })).toMatchObject({ defaults: { sandbox: "v1" } });
  });

  test("has a revision, while a document has none", async () => {
    const procedures = await saved();
    const both = procedures.publish({ document: procedure([]), revision: 2, version: "v1", by: sam });
    await expect(both).rejects.toMatchObject({ code: "invalid_input", details: [{ path: "/revision" }] });
  });

  test("needs no revision for a principal of both environments, or if it was saved without an environment", async () => {
    const harness = await createConnectionHarness();
    await harness.engine.procedures.saveDraft({ procedureId: "p", document: procedure([]), revision: 0, by: alice });
    await harness.engine.procedures.publish({ ...draft, defaultIn: ["live"], by: lea });
  });
});

describe("a default of the other environment", () => {
  test("is not changed by publishing: neither a first version, a version again, nor a named one", async () => {
    const harness = await createConnectionHarness();
    const { procedures } = harness.engine;
    const document = procedure([]);
    await procedures.publish({ document, version: "v1", by: sam });
    const mismatch = { code: "environment_mismatch" };
    const there = { document, version: "v2", by: sam };
    await expect(procedures.publish({ ...there, defaultIn: ["live"] })).rejects.toMatchObject(mismatch);
    await expect(procedures.publish({ ...there, version: "v1", defaultIn: ["live"] })).rejects.toMatchObject(mismatch);
    await expect(procedures.publish({ ...there, ...live })).rejects.toMatchObject(mismatch);
    const set = procedures.setDefault({ procedureId: "p", version: "v1", ...live, by: sam });
    await expect(set).rejects.toMatchObject(mismatch);
    expect((await procedures.get({ procedureId: "p" })).defaults).toEqual({ sandbox: "v1" });
  });
});

describe("a published version that is no default", () => {
  /** v1 calls `bills` and was the default; v2 is the default, and does not call it. */
  const older = async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.publish(calling());
    await harness.publish(procedure([]), { version: "v2", defaultIn: ["sandbox"] });
    return { harness, place: { ...sandbox, connectionId, by: alice } };
  };

  test("prevents its connection from being renamed or removed, unless it is forced", async () => {
    const { harness, place } = await older();
    const { connections } = harness.engine;
    const inUse = {
      code: "connection_in_use",
      message:
        'Connection "bills" cannot be removed: procedure "p", version "v1", calls it at pay. Runs of these versions may be ' +
        "in progress. To continue, force the change; their calls then fail.",
      details: [{ path: "", message: 'procedure "p", version "v1", calls it at pay' }],
    };
    await expect(connections.remove(place)).rejects.toMatchObject(inUse);
    await expect(connections.update({ ...place, name: "other" })).rejects.toMatchObject({ code: "connection_in_use" });
    await connections.update({ ...place, name: "other", force: true });
    await connections.update({ ...place, name: "bills" });
    await connections.remove({ ...place, force: true });
  });

  test("is one of at most twenty that the error names, each of which is read once", async () => {
    const { harness, place } = await older();
    for (let number = 3; number < 40; number++)
      await harness.publish(calling(), { version: `v${number}`, defaultIn: [] });
    const { connections, way } = harness.engine;
    const refused = async () => await connections.remove(place).catch((error: unknown) => error);
    expect(await refused()).toMatchObject({ details: Array.from({ length: 20 }, () => ({ path: "" })) });
    const read = way.count("procedures.version");
    await refused();
    expect(way.count("procedures.version")).toBe(read);
  });
});
