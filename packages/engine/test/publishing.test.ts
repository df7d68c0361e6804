import type { ProcedureDocument } from "@procedo/contract";
import { defineIntegration, z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

const simple = procedure([call("a", "once")]);

async function problemsOf(harness: Harness, document: unknown): Promise<readonly string[]> {
  const error = (await harness.engine.procedures
    .publish({ document: document as ProcedureDocument, version: "v1", by: alice })
    .catch((thrown: unknown) => thrown)) as { code?: string; details?: readonly { path: string }[] };
  expect(error.code).toBe("invalid_document");
  return (error.details ?? []).map(({ path }) => path);
}

describe("publishing", () => {
  test("keeps the $schema of a document, and treats the document without it as equal", async () => {
    const harness = await createHarness();
    const { procedureId } = simple;
    const publish = async (document: ProcedureDocument) =>
      (await harness.engine.procedures.publish({ document, version: "v1", by: alice })).existing;
    const $schema = "https://example.com/procedure.schema.json";
    expect(await publish({ ...simple, $schema })).toBe(false);
    expect(await publish(simple)).toBe(true);
    expect(await publish({ ...simple, $schema: "elsewhere.json" })).toBe(true);
    const { document } = await harness.engine.procedures.version({ procedureId, version: "v1" });
    expect(document).toEqual({ ...simple, $schema });
    await expect(publish({ ...simple, name: "Another" })).rejects.toMatchObject({ code: "version_exists" });
  });

  test("reports all problems together, each with its pointer, and stores nothing", async () => {
    const harness = await createHarness();
    const document = procedure(
      [
        call("a", "nothing"),
        call("b", "pay", { arguments: { to: 5 } }),
        call("c", "once", { arguments: { x: "{{ input. }}" } }),
        { id: "lost", kind: "end" },
      ],
      { edges: ["start > a", "a > b", "b > c", "c > done"], input: { type: "nothing" } },
    );
    const paths = await problemsOf(harness, document);
    for (const path of ["/input", "/nodes/1/action", "/nodes/2/arguments", "/nodes/3/arguments/x", "/nodes/4"]) {
      expect(
        paths.some((found) => found.startsWith(path)),
        `${path} in ${paths.join(" ")}`,
      ).toBe(true);
    }
    expect((await harness.engine.procedures.list({ limit: 10 })).items).toEqual([]);
  });

  test("names the node of each problem that belongs to one", async () => {
    const harness = await createHarness();
    const document = { ...procedure([call("a", "nothing")]), colour: "red" } as ProcedureDocument;
    await expect(harness.engine.procedures.publish({ document, version: "v1", by: alice })).rejects.toMatchObject({
      details: [
        { path: "/nodes/1/action", nodeId: "a" },
        { path: "/colour", nodeId: undefined },
      ],
    });
  });

  test.each([
    ["not an object", 5],
    ["without nodes", { schemaVersion: 1, procedureId: "p", name: "p", input: {}, edges: [] }],
    ["of another schema version", { ...simple, schemaVersion: 2 }],
    ["with an unknown field", { ...simple, extra: true }],
  ])("a document that is %s is refused", async (_name, document) => {
    const harness = await createHarness();
    expect((await problemsOf(harness, document)).length).toBeGreaterThan(0);
  });

  test.each([
    ["instructions", { ...call("a", "once"), instructions: "Pay." }],
    [
      "a question",
      {
        id: "a",
        kind: "condition",
        question: "Which?",
        branches: [
          { name: "x", description: "x" },
          { name: "y", description: "y" },
        ],
      },
    ],
  ])("a node with %s is refused without a model, with a message that says how to set one", async (_name, node) => {
    const harness = await createHarness();
    const document = {
      ...procedure([node as never]),
      edges:
        node.kind === "condition"
          ? [
              { from: "start", to: "a" },
              { from: "a", branch: "x", to: "done" },
              { from: "a", branch: "y", to: "done" },
            ]
          : simple.edges,
    };
    const published = harness.engine.procedures.publish({ document, version: "v1", by: alice });
    await expect(published).rejects.toMatchObject({
      code: "invalid_document",
      message: expect.stringMatching(/model/i) as string,
    });
  });

  test("a version is immutable: another document under its name is refused, the same one changes nothing", async () => {
    const harness = await createHarness();
    await harness.publish(simple);
    const audit = () => harness.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 });
    const before = await audit();
    await harness.publish(simple);
    await harness.publish(JSON.parse(JSON.stringify(simple)) as ProcedureDocument);
    expect(await audit()).toEqual(before);
    const changed = harness.publish({ ...simple, name: "changed" });
    await expect(changed).rejects.toMatchObject({ code: "version_exists", status: 409 });
    expect((await harness.engine.procedures.version({ procedureId: "p", version: "v1" })).document.name).toBe("p");
  });

  test("ten at once under one name make one version, and the publishers of the same document succeed", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const published = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? harness.engine : other).procedures.publish({ document: simple, version: "v1", by: alice }),
      ),
    );
    expect(published.every(({ status }) => status === "fulfilled")).toBe(true);
    expect((await harness.engine.procedures.versions({ procedureId: "p", limit: 10 })).items).toHaveLength(1);
  });

  test("the first version becomes the default of the publisher's environment, a later one of neither", async () => {
    const harness = await createHarness();
    await harness.publish(simple, { environment: "live" });
    await harness.publish(simple, { version: "v2" });
    expect((await harness.engine.procedures.list({ limit: 10 })).items).toMatchObject([
      { procedureId: "p", defaults: { live: "v1" } },
    ]);
    expect((await harness.engine.procedures.list({ limit: 10 })).items[0]?.defaults.sandbox).toBeUndefined();
  });

  test.each(["", "v 1", "../v1", "a/b", "x".repeat(200)])("an invalid version name is refused: %o", async (version) => {
    const harness = await createHarness();
    await expect(harness.publish(simple, { version })).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("and setting defaults require the permission to manage", async () => {
    const harness = await createHarness();
    const by = { person: "eve", permissions: ["run", "review"] } as const;
    await expect(harness.publish(simple, { by })).rejects.toMatchObject({ code: "permission_denied" });
    await harness.publish(simple);
    const set = harness.engine.procedures.setDefault({ procedureId: "p", environment: "live", version: "v1", by });
    await expect(set).rejects.toMatchObject({ code: "permission_denied" });
  });
});

describe("connections of a document", () => {
  const vault = defineIntegration({
    name: "vault",
    settings: z.object({ region: z.string() }),
    actions: ({ defineAction }) => ({
      use: defineAction({ description: "Uses it.", input: z.object({}), effect: "read", run: async () => ({}) }),
    }),
  });
  const using = procedure([{ id: "a", kind: "tool_call", connection: "main", action: "use" }]);
  const main = { name: "main", integration: "vault", settings: { region: "eu" }, by: alice } as const;

  test("are required in each environment in which the version becomes the default", async () => {
    const harness = await createHarness({ integrations: [vault] });
    await harness.engine.connections.create({ ...main, environment: "sandbox" });
    await expect(harness.publish(using, { defaultIn: ["sandbox", "live"] })).rejects.toMatchObject({
      code: "invalid_document",
    });
    await harness.publish(using, { defaultIn: ["sandbox"] });
  });

  test("are a warning if the version becomes no default", async () => {
    const harness = await createHarness({ integrations: [vault] });
    await harness.publish(procedure([]));
    const { problems } = await harness.engine.procedures.publish({ document: using, version: "v2", by: alice });
    expect(problems).toMatchObject([{ severity: "warning", path: expect.stringMatching(/^\/nodes\/1/) as string }]);
  });

  test("are required of a first version in the environment in which it becomes the default", async () => {
    const harness = await createHarness({ integrations: [vault] });
    await expect(harness.publish(using)).rejects.toMatchObject({ code: "invalid_document" });
  });

  test("are checked again when a default is set", async () => {
    const harness = await createHarness({ integrations: [vault] });
    await harness.engine.connections.create({ ...main, environment: "sandbox" });
    await harness.publish(using);
    const set = () =>
      harness.engine.procedures.setDefault({ procedureId: "p", environment: "live", version: "v1", by: alice });
    await expect(set()).rejects.toMatchObject({ code: "invalid_document" });
    await harness.engine.connections.create({ ...main, environment: "live" });
    await set();
    expect((await harness.read(await harness.run({}, { environment: "live" }), "live")).status).toBe("completed");
  });

  test("a missing version cannot be the default", async () => {
    const harness = await createHarness();
    await harness.publish(simple);
    const { setDefault } = harness.engine.procedures;
    await expect(setDefault({ procedureId: "p", environment: "live", version: "v9", by: alice })).rejects.toMatchObject(
      { code: "version_not_found" },
    );
    await expect(setDefault({ procedureId: "q", environment: "live", version: "v1", by: alice })).rejects.toMatchObject(
      { code: "version_not_found" },
    );
  });
});
