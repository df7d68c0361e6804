import { normalName } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createHarness, owner, documents, textOf } from "./harness.ts";

const path = "/api/v1/procedures";
/** The document of `echo` under another id. */
const documentOf = (procedureId: string, name = procedureId) => ({ ...documents.echo, procedureId, name });

describe("drafts", () => {
  test("PUT draft saves despite problems, by revision; a stale revision is a 409", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const save = (body: unknown) => harness.ask(`PUT ${path}/new/draft`, { key, body });
    const first = await save({ document: { procedureId: "new", name: "New" } });
    expect(first).toMatchObject({ status: 200, body: { revision: 1 } });
    expect((first.body["problems"] as unknown[]).length).toBeGreaterThan(0);
    expect(await save({ document: documentOf("new"), revision: 1 })).toMatchObject({
      body: { revision: 2, problems: [] },
    });
    expect(await save({ document: {}, revision: 1 })).toMatchObject({
      status: 409,
      body: { code: "revision_conflict" },
    });
    expect(await harness.ask(`GET ${path}/new`, { key })).toMatchObject({
      status: 200,
      body: {
        procedureId: "new",
        draft: { revision: 2, by: normalName(owner.person), document: documentOf("new") },
        defaults: {},
        versions: [],
      },
    });
  });

  test("DELETE draft discards it by the revision that was read", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const discard = (query: string) => harness.ask(`DELETE ${path}/echo/draft${query}`, { key });
    expect(await discard("?revision=1")).toMatchObject({ status: 404, body: { code: "procedure_not_found" } });
    await harness.ask(`PUT ${path}/echo/draft`, { key, body: { document: documentOf("echo") } });
    for (const query of ["", "?revision=0", "?revision=1.5", "?revision=x", "?revision=1&force=true"]) {
      expect((await discard(query)).status, query).toBe(400);
    }
    expect(await discard("?revision=2")).toMatchObject({ status: 409, body: { code: "revision_conflict" } });
    expect(await discard("?revision=1")).toMatchObject({ status: 200, body: { success: true } });
    expect((await harness.ask(`GET ${path}/echo`, { key })).body).not.toHaveProperty("draft");
  });

  test("a document of another procedure is a 422", async () => {
    const harness = await createHarness();
    const answer = await harness.ask(`PUT ${path}/new/draft`, {
      key: await harness.key(),
      body: { document: documentOf("old") },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input" } });
  });

  test("POST validate returns all problems and saves nothing", async () => {
    const harness = await createHarness();
    const key = await harness.key([]);
    const validate = (document: unknown) => harness.ask(`POST ${path}/new/validate`, { key, body: { document } });
    expect((await validate(documentOf("new"))).body).toEqual({ problems: [] });
    const problems = (await validate({ ...documentOf("new"), edges: [] })).body["problems"] as { path: string }[];
    expect(problems.length).toBeGreaterThan(0);
    expect((await harness.ask(`GET ${path}/new`, { key })).status).toBe(404);
  });

  test("POST validate warns of an input that may be missing, at its position", async () => {
    const harness = await createHarness();
    const answer = await harness.ask(`POST ${path}/new/validate`, {
      key: await harness.key([]),
      body: { document: documentWithOptionalInput("new") },
    });
    expect(answer).toMatchObject({ status: 200, body: { problems: [optionalInput] } });
  });
});

function documentWithOptionalInput(procedureId: string): object {
  return {
    ...{ schemaVersion: 1, procedureId, name: procedureId },
    input: { type: "object", properties: { limit: { type: "integer" } } },
    nodes: [
      { id: "start", kind: "start" },
      { id: "done", kind: "end", output: { limit: "{{ input.limit }}" } },
    ],
    edges: [{ from: "start", to: "done" }],
  };
}

const optionalInput = {
  code: "optional",
  path: "/nodes/1/output/limit",
  severity: "warning",
  message: expect.stringMatching(/^input\.limit may be left out.* Write input\.\?limit/) as string,
};

describe("versions", () => {
  test("POST versions publishes: 201; the same name again is a 409, with any document", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const publish = (body: object) =>
      harness.ask(`POST ${path}/new/versions`, { key, body: { version: "1", ...body } });
    const published = await publish({ document: documentOf("new") });
    const summary = {
      procedureId: "new",
      version: "1",
      name: "new",
      publishedBy: owner.person,
      publishedAt: expect.any(String),
    };
    expect(published.status).toBe(201);
    expect(published.body).toEqual({ ...summary, problems: [] });
    for (const document of [documentOf("new"), documentOf("new", "Other")]) {
      expect(await publish({ document })).toMatchObject({ status: 409, body: { code: "version_exists" } });
    }
    const version = await harness.ask(`GET ${path}/new/versions/1`, { key });
    expect(version.body).toEqual({ ...summary, document: documentOf("new") });
    expect((await harness.ask(`GET ${path}/new/versions`, { key })).body).toEqual({ data: [summary] });
    // The first version is the default in the key's environment.
    expect((await harness.ask(`GET ${path}/new`, { key })).body["defaults"]).toEqual({ sandbox: "1" });
  });

  test("POST versions without a document publishes the draft", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    expect(await harness.ask(`POST ${path}/new/versions`, { key, body: { version: "1" } })).toMatchObject({
      status: 404,
    });
    await harness.ask(`PUT ${path}/new/draft`, { key, body: { document: documentOf("new") } });
    expect(await harness.ask(`POST ${path}/new/versions`, { key, body: { version: "1" } })).toMatchObject({
      status: 201,
    });
  });

  test("a draft without the changes of the newest version is a 409 until the request names that version", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const put = (body: object) => harness.ask(`PUT ${path}/echo/draft`, { key, body });
    const publish = (body: object) => harness.ask(`POST ${path}/echo/versions`, { key, body });
    await put({ document: documentOf("echo", "Mine") });
    expect((await harness.ask(`GET ${path}/echo`, { key })).body["draft"]).toMatchObject({ basedOn: "v1" });
    await publish({ version: "v2", document: documentOf("echo", "Theirs") });
    expect(await publish({ version: "v3" })).toMatchObject({ status: 409, body: { code: "draft_outdated" } });
    expect((await publish({ version: "v3", basedOn: "v1" })).status).toBe(409);
    expect((await publish({ version: "v3", basedOn: "v2" })).status).toBe(201);
    expect(await put({ document: {}, revision: 1, basedOn: "v9" })).toMatchObject({
      status: 404,
      body: { code: "version_not_found" },
    });
    expect((await put({ document: documentOf("echo"), revision: 1, basedOn: "v1" })).status).toBe(200);
    expect((await publish({ version: "v4" })).status).toBe(201);
  });

  test("of two people who edit a procedure, the second to publish is refused, and loses nothing", async () => {
    const harness = await createHarness();
    const access = { sandbox: ["builder"] } as const;
    const [ana, ben] = [await harness.person({ access }), await harness.person({ access })];
    const as = (person: typeof ana, target: string, body?: object) =>
      harness.ask(`${target}?environment=sandbox`, { key: person.token, ...(body !== undefined && { body }) });
    const [draft, versions] = [`PUT ${path}/echo/draft`, `POST ${path}/echo/versions`];
    await as(ana, draft, { document: documentOf("echo", "Ana's") });
    expect((await as(ben, versions, { version: "v2", document: documentOf("echo", "Ben's") })).status).toBe(201);
    expect(await as(ana, versions, { version: "v3", revision: 1 })).toMatchObject({
      status: 409,
      body: { code: "draft_outdated", error: expect.stringContaining(`"v2", published by ${ben.email}`) },
    });
    const { body } = await as(ana, `GET ${path}/echo`);
    expect(body).toMatchObject({
      draft: { revision: 1, by: ana.email, basedOn: "v1", document: { name: "Ana's" } },
      versions: [{ version: "v2", name: "Ben's", publishedBy: ben.email }, { version: "v1" }],
    });
    await as(ana, draft, { document: documentOf("echo", "Both"), revision: 1, basedOn: "v2" });
    expect((await as(ana, versions, { version: "v3", revision: 2 })).status).toBe(201);
  });

  test("a document with errors is a 422 with each of them in details", async () => {
    const harness = await createHarness();
    const document = { ...documentOf("new"), name: "", edges: [] };
    const answer = await harness.ask(`POST ${path}/new/versions`, {
      key: await harness.key(),
      body: { version: "1", document },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "invalid_document", details: [{ path: "/name" }, { path: "/nodes/0" }] },
    });
  });

  test("PUT defaults sets the default in the key's environment, in the other it is a 403, for a missing version a 404", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    await harness.ask(`POST ${path}/echo/versions`, { key, body: { version: "v2", document: documents.echo } });
    const set = (environment: string, version: string) =>
      harness.ask(`PUT ${path}/echo/defaults/${environment}`, { key, body: { version } });
    const chosen = { procedureId: "echo", environment: "sandbox", version: "v2", problems: [], triggers: [] };
    expect((await set("sandbox", "v2")).body).toEqual(chosen);
    expect(await set("sandbox", "v3")).toMatchObject({ status: 404, body: { code: "version_not_found" } });
    expect(await set("live", "v2")).toMatchObject({ status: 403, body: { code: "environment_mismatch" } });
    expect(await set("mars", "v2")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await harness.ask(`GET ${path}/echo`, { key })).body["defaults"]).toEqual({ sandbox: "v2", live: "v1" });
  });

  test("defaultIn applies to the key's environment only", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const body = { version: "v2", document: documents.echo, defaultIn: ["live"] };
    expect(await harness.ask(`POST ${path}/echo/versions`, { key, body })).toMatchObject({
      status: 403,
      body: { code: "environment_mismatch" },
    });
    expect((await harness.ask(`GET ${path}/echo/versions/v2`, { key })).status).toBe(404);
  });
});

test("GET procedures lists drafts and published procedures by id, page by page", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  await harness.ask(`PUT ${path}/brand-new/draft`, { key, body: { document: { name: "B" } } });
  const ids: string[] = [];
  let cursor = "";
  do {
    const page = await harness.ask(`GET ${path}?limit=2${cursor && `&cursor=${cursor}`}`, { key });
    ids.push(...(page.body["data"] as { procedureId: string }[]).map(({ procedureId }) => procedureId));
    cursor = textOf(page.body["nextCursor"]);
  } while (cursor !== "");
  expect(ids).toEqual(["ask", "brand-new", "echo", "fail", "slow"]);
});

test("a missing procedure or version is a 404", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  for (const [target, code] of [
    [`${path}/none`, "procedure_not_found"],
    [`${path}/none/versions`, "procedure_not_found"],
    [`${path}/none/versions/1`, "version_not_found"],
    [`${path}/echo/versions/none`, "version_not_found"],
  ] as const) {
    expect(await harness.ask(`GET ${target}`, { key })).toMatchObject({ status: 404, body: { code } });
  }
});
