/*
 * The authorization matrix of shared resources: a private connection, and a procedure with its draft, its versions and
 * its defaults. The caller is a key of one environment, a key of the other, a person who may manage both and uses the
 * engine directly, as the command does, or a person with a session.
 */
import type { Environment, JsonObject } from "@procedo/contract";
import { ProcedoError } from "@procedo/engine";
import { countCases } from "@procedo-testing/tiers";
import { describe, expect, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { asJson, createHarness, documents, type Harness } from "./harness.ts";
import { createOffice, type Office } from "./private-office.ts";

const environments = ["sandbox", "live"] as const;
const otherThan = (environment: Environment): Environment => (environment === "sandbox" ? "live" : "sandbox");
const owner = { person: "olga" };

/** The part of the environment that did not create a connection, and the versions there that call it. */
const otherSides = {
  nothing: { token: false, version: undefined },
  "no token, and a version that is no default": { token: false, version: "published" },
  "a token": { token: true, version: undefined },
  "a token, and a version that is no default": { token: true, version: "published" },
  "a token, and a default version": { token: true, version: "default" },
} as const;
type OtherSide = (typeof otherSides)[keyof typeof otherSides];

/** The environments that a caller manages, relative to the one that created the resource. */
const askers = ["creator", "other", "both"] as const;
type Asker = (typeof askers)[number];

/** People with a session: the roles in the environment of the request, and in the other one. */
const sessionAskers = {
  "a builder of both": { here: ["builder"], there: ["builder"], as: "both" },
  "an owner of both": { here: ["owner"], there: ["owner"], as: "both" },
  "a builder and viewer of the other": { here: ["builder"], there: ["viewer"], as: "creator" },
  "a builder of this environment only": { here: ["builder"], there: [], as: "creator" },
} as const;

interface Cell {
  readonly harness: Harness;
  readonly office: Office;
  /** The environment of the calling key; for a person who may manage both, the creator's. */
  readonly environment: Environment;
}

interface SharedOperation {
  /** The request of a key. */
  readonly target: (cell: Cell) => string;
  readonly body?: (cell: Cell) => JsonObject;
  /** The same through the engine, for a person who may manage both; omitted for reads, which need no permission. */
  readonly byBoth?: (cell: Cell) => Promise<unknown>;
  readonly status: (asker: Asker, side: OtherSide) => number;
}

let names = 0;
const newName = (): string => `shared-${(names += 1)}`;

const path = ({ office }: Cell): string => `/api/v1/connections/${office.connectionId}`;
const always = () => 200;
/** A change that takes the connection away from its users. */
const takingAway =
  (force: boolean) =>
  (asker: Asker, { token, version }: OtherSide): number => {
    if (asker === "other" || (asker === "creator" && token)) return 403;
    return version === undefined || force ? 200 : 409;
  };

const connectionOperations: Readonly<Record<string, SharedOperation>> = {
  getConnection: { target: (cell) => `GET ${path(cell)}`, status: always },
  listActions: { target: (cell) => `GET ${path(cell)}/actions`, status: always },
  getAction: {
    target: (cell) => `GET ${path(cell)}/actions/screen`,
    status: (asker, { token }) => (asker === "other" && !token ? 404 : 200),
  },
  listPrivateConnectionClients: { target: (cell) => `GET ${path(cell)}/private-connection/clients`, status: always },
  // A private connection has no authorization server.
  startAuthorization: { target: (cell) => `POST ${path(cell)}/oauth/start`, status: () => 409 },
  refreshAuthorization: { target: (cell) => `POST ${path(cell)}/oauth/refresh`, status: () => 409 },
  removeAuthorization: { target: (cell) => `DELETE ${path(cell)}/oauth`, status: () => 409 },
  testConnection: { target: (cell) => `POST ${path(cell)}/test`, status: always },
  getPrivateConnectionStatus: { target: (cell) => `GET ${path(cell)}/private-connection/status`, status: always },
  "getPrivateConnectionStatus of the other environment": {
    target: (cell) => `GET ${path(cell)}/private-connection/status?environment=${otherThan(cell.environment)}`,
    status: (asker) => (asker === "both" ? 200 : 403),
  },
  ...Object.fromEntries(
    [false, true].flatMap((force) => {
      const suffix = force ? " by force" : "";
      const query = force ? "?force=true" : "";
      const rename: SharedOperation = {
        target: (cell) => `PATCH ${path(cell)}${query}`,
        body: () => ({ name: newName() }),
        byBoth: ({ harness, office: { connectionId }, environment }) =>
          harness.engine.connections.update({ environment, connectionId, name: newName(), force, by: owner }),
        status: takingAway(force),
      };
      const remove: SharedOperation = {
        target: (cell) => `DELETE ${path(cell)}${query}`,
        byBoth: ({ harness, office: { connectionId }, environment }) =>
          harness.engine.connections.remove({ environment, connectionId, force, by: owner }),
        status: takingAway(force),
      };
      return [
        [`updateConnection: a new name${suffix}`, rename],
        [`deleteConnection${suffix}`, remove],
      ] as const;
    }),
  ),
  // A private connection has no settings and secrets, and so no change to preview.
  previewChange: { target: (cell) => `POST ${path(cell)}/preview`, body: () => ({ settings: {} }), status: always },
  regenerateToken: {
    target: (cell) => `POST ${path(cell)}/private-connection/tokens/${cell.environment}`,
    byBoth: ({ harness, office: { connectionId }, environment }) =>
      harness.engine.privateConnections.regenerateToken({ environment, connectionId, by: owner }),
    status: always,
  },
  "regenerateToken of the other environment": {
    target: (cell) => `POST ${path(cell)}/private-connection/tokens/${otherThan(cell.environment)}`,
    byBoth: ({ harness, office: { connectionId }, environment }) =>
      harness.engine.privateConnections.regenerateToken({
        environment: otherThan(environment),
        connectionId,
        by: owner,
      }),
    status: (asker) => (asker === "both" ? 200 : 403),
  },
};

/** A connection that `creator` created, with its client's functions registered in each environment with a token. */
async function prepare(harness: Harness, creator: Environment, { token, version }: OtherSide): Promise<Office> {
  const office = await createOffice(harness, newName(), token ? undefined : creator);
  for (const environment of token ? environments : [creator]) await office.register({ environment });
  if (version === undefined) return office;
  const { document } = office;
  const without = { ...documents.echo, procedureId: document.procedureId };
  const publish = (named: object) =>
    harness.engine.procedures.publish({ document: without, version: "v0", by: owner, ...named });
  await publish({ defaultIn: environments });
  await publish({ document, version: "v1", defaultIn: version === "default" ? [otherThan(creator)] : [] });
  return office;
}

/** All data of the shared resources in an environment. */
async function everythingOf(harness: Harness, environment: Environment, office: Office) {
  const { connectionId, document, tokens } = office;
  const procedures = (await harness.engine.procedures.list({ limit: 100 })).items;
  return {
    token: await harness.engine.privateConnections.authenticate(tokens[environment]),
    functions: await harness.engine.privateConnections
      .status({ environment, connectionId })
      .then(({ registeredFunctions }) => registeredFunctions)
      // The connection is gone, which is allowed if this environment did not use it.
      .catch(() => []),
    calls: await harness.engine.procedures.validate({ document, environments: [environment] }),
    defaults: procedures.map(({ procedureId, defaults }) => [procedureId, defaults[environment]]),
  };
}

async function statusOf(work: Promise<unknown> | undefined): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    if (ProcedoError.isError(error)) return error.status;
    throw error;
  }
}

describe.each(environments)("a private connection that %s created", (creator) => {
  describe.each(Object.entries(otherSides))("if the other environment has %s", (_name, side) => {
    test.each(askers)("is changed by %s only as permitted", async (asker) => {
      const harness = await createHarness();
      const environment = asker === "other" ? otherThan(creator) : creator;
      const key = await harness.key(["run", "manage", "review"], environment);
      for (const [name, operation] of Object.entries(connectionOperations)) {
        const office = await prepare(harness, creator, side);
        const cell: Cell = { harness, office, environment };
        const before = await everythingOf(harness, otherThan(environment), office);
        if (asker === "both") {
          if (operation.byBoth === undefined) continue;
          expect(await statusOf(operation.byBoth(cell)), name).toBe(operation.status(asker, side));
          continue;
        }
        const body = operation.body?.(cell);
        const answer = await harness.ask(operation.target(cell), { key, ...(body !== undefined && { body }) });
        expect(answer.status, `${name}: ${answer.text}`).toBe(operation.status(asker, side));
        const { code } = answer.body;
        if (answer.status === 403) expect(code, answer.text).toBe("environment_mismatch");
        if (answer.status === 409)
          expect(code, answer.text).toBe(name.endsWith("Authorization") ? "not_oauth" : "connection_in_use");
        expect(answer.text).not.toContain(`run_${otherThan(environment)}_`);
        expect(await everythingOf(harness, otherThan(environment), office), name).toEqual(before);
      }
      countCases(Object.keys(connectionOperations).length);
    });
  });
});

describe.each(environments)("a private connection that %s created and both use", (creator) => {
  const side = otherSides["a token"];
  const takesAway = (name: string): boolean => /^(?:updateConnection|deleteConnection)/.test(name);
  test.each(Object.entries(sessionAskers))("is taken away by %s only as permitted", async (_who, asker) => {
    const harness = await createHarness();
    const there = otherThan(creator);
    const access = { [creator]: [...asker.here], [there]: [...asker.there] };
    const { token: key, email } = await harness.person({ access });
    // A key of the same person reaches its own environment alone.
    const callers = [
      [key, asker.as],
      [await harness.key(["run", "manage"], creator, email), "creator"],
    ] as const;
    const changes = Object.entries(connectionOperations).filter(([name]) => takesAway(name));
    for (const [name, operation] of changes) {
      for (const [caller, as] of callers) {
        const office = await prepare(harness, creator, side);
        const cell: Cell = { harness, office, environment: creator };
        const before = await everythingOf(harness, there, office);
        const body = operation.body?.(cell);
        const target = operation.target(cell);
        const named = `${target}${target.includes("?") ? "&" : "?"}environment=${creator}`;
        const answer = await harness.ask(named, { key: caller, ...(body !== undefined && { body }) });
        expect(answer.status, `${name}: ${answer.text}`).toBe(operation.status(as, side));
        if (answer.status === 200) continue;
        const isRoleMissing = caller === key && asker.there.length > 0;
        expect(answer.body).toMatchObject({ code: isRoleMissing ? "permission_denied" : "environment_mismatch" });
        expect(await everythingOf(harness, there, office), name).toEqual(before);
      }
    }
    countCases(changes.length * callers.length);
  });
});

test.each(environments)(
  "createConnection with a key of %s returns that environment's token only",
  async (environment) => {
    const harness = await createHarness();
    const body = { name: "office", integration: "private_connection" };
    const { status, text } = await harness.ask("POST /api/v1/connections", {
      key: await harness.key(["manage"], environment),
      body,
    });
    expect(status).toBe(201);
    expect(text).toContain(`"run_${environment}_`);
    expect(text).not.toContain(`run_${otherThan(environment)}_`);
  },
);

/** Whether the other environment has a default version of the procedure at the time of the change. */
const procedureSides = { "a default version": true, "no default version": false } as const;

interface ProcedureOperation {
  readonly target: (procedureId: string, environment: Environment) => string;
  readonly body?: (procedureId: string, environment: Environment) => JsonObject;
  readonly status: number;
}

const documentOf = (procedureId: string): JsonObject => ({ ...asJson(documents.echo), procedureId });
const versionsOf = (procedureId: string): string => `POST /api/v1/procedures/${procedureId}/versions`;
const publishing = (
  status: number,
  defaultIn: (environment: Environment) => readonly Environment[],
  more: JsonObject = {},
): ProcedureOperation => ({
  target: versionsOf,
  body: (procedureId, environment) => ({
    version: newName(),
    defaultIn: [...defaultIn(environment)],
    ...("draft" in more ? {} : { document: documentOf(procedureId) }),
    ...("revision" in more ? { revision: more["revision"] ?? 0 } : {}),
  }),
  status,
});

/** The draft has revision 1 and was saved by a key of the other environment. */
const procedureOperations: Readonly<Record<string, ProcedureOperation>> = {
  getProcedure: { target: (id) => `GET /api/v1/procedures/${id}`, status: 200 },
  listVersions: { target: (id) => `GET /api/v1/procedures/${id}/versions`, status: 200 },
  getVersion: { target: (id) => `GET /api/v1/procedures/${id}/versions/v1`, status: 200 },
  saveDraft: {
    target: (id) => `PUT /api/v1/procedures/${id}/draft`,
    body: (id) => ({ document: documentOf(id), revision: 1 }),
    status: 200,
  },
  "saveDraft over an unread draft of the other environment": {
    target: (id) => `PUT /api/v1/procedures/${id}/draft`,
    body: (id) => ({ document: documentOf(id), revision: 0 }),
    status: 409,
  },
  discardDraft: { target: (id) => `DELETE /api/v1/procedures/${id}/draft?revision=1`, status: 200 },
  "discardDraft of the other environment, by another revision": {
    target: (id) => `DELETE /api/v1/procedures/${id}/draft?revision=2`,
    status: 409,
  },
  "discardDraft without having read it": { target: (id) => `DELETE /api/v1/procedures/${id}/draft`, status: 400 },
  "publishVersion as no default": publishing(201, () => []),
  "publishVersion as its own default": publishing(201, (own) => [own]),
  "publishVersion as the other's default": publishing(403, (own) => [otherThan(own)]),
  "publishVersion as the default of both": publishing(403, () => environments),
  "publishVersion of the other's draft as no default": publishing(201, () => [], { draft: true }),
  "publishVersion of the other's draft, unread, as its own default": publishing(409, (own) => [own], { draft: true }),
  "publishVersion of the other's draft by its revision": publishing(201, (own) => [own], { draft: true, revision: 1 }),
  "publishVersion of the other's draft by another revision": publishing(409, (own) => [own], {
    draft: true,
    revision: 2,
  }),
  setDefault: {
    target: (id, own) => `PUT /api/v1/procedures/${id}/defaults/${own}`,
    body: () => ({ version: "v2" }),
    status: 200,
  },
  "setDefault of the other environment": {
    target: (id, own) => `PUT /api/v1/procedures/${id}/defaults/${otherThan(own)}`,
    body: () => ({ version: "v2" }),
    status: 403,
  },
  startRun: { target: (id, own) => `POST /v1/procedures/${id}/${own}`, body: () => ({ data: {} }), status: 202 },
  createRun: { target: (id) => `POST /api/v1/procedures/${id}/runs`, body: () => ({ data: {} }), status: 202 },
  "createRun in the other environment": {
    target: (id, own) => `POST /api/v1/procedures/${id}/runs?environment=${otherThan(own)}`,
    body: () => ({ data: {} }),
    status: 403,
  },
  "startRun in the other environment": {
    target: (id, own) => `POST /v1/procedures/${id}/${otherThan(own)}`,
    body: () => ({ data: {} }),
    status: 403,
  },
};

describe.each(environments)("a procedure, for a key of %s", (environment) => {
  test.each(Object.entries(procedureSides))("if the other environment has %s", async (_name, hasDefault) => {
    const harness = await createHarness();
    const other = otherThan(environment);
    const key = await harness.key(["run", "manage", "review"], environment);
    const others = { person: "lea", environment: other } as const;
    for (const [name, operation] of Object.entries(procedureOperations)) {
      const procedureId = newName();
      const document = documentOf(procedureId);
      const defaultIn = hasDefault ? environments : [environment];
      await harness.engine.procedures.publish({ document, version: "v1", defaultIn, by: owner });
      await harness.engine.procedures.publish({ document, version: "v2", by: owner });
      await harness.engine.procedures.saveDraft({ procedureId, document, revision: 0, by: others });
      const body = operation.body?.(procedureId, environment);
      const answer = await harness.ask(operation.target(procedureId, environment), {
        key,
        ...(body !== undefined && { body }),
      });
      expect(answer.status, `${name}: ${answer.text}`).toBe(operation.status);
      const { defaults } = await harness.engine.procedures.get({ procedureId });
      expect(defaults[other], name).toBe(hasDefault ? "v1" : undefined);
    }
    countCases(Object.keys(procedureOperations).length);
  });

  test("without a version becomes the default of its own environment only", async () => {
    const harness = await createHarness();
    const body = { version: "v1", document: documentOf("first") };
    const answer = await harness.ask(versionsOf("first"), { key: await harness.key(["manage"], environment), body });
    expect(answer.status, answer.text).toBe(201);
    expect((await harness.engine.procedures.get({ procedureId: "first" })).defaults).toEqual({ [environment]: "v1" });
  });
});

test("every operation on shared resources has its cells", () => {
  const covered = new Set(
    [...Object.keys(connectionOperations), ...Object.keys(procedureOperations)].map((name) => name.split(/[ :]/)[0]),
  );
  const isShared = (operationPath: string): boolean =>
    /^\/api\/v1\/(?:connections\/:|procedures\/:)/.test(operationPath) && !operationPath.endsWith("/validate");
  const shared = operations.filter(({ path: its }) => isShared(its)).map(({ id }) => id);
  expect(shared.filter((id) => !covered.has(id))).toEqual([]);
});
