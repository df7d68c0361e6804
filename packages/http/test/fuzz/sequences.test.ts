import { randomUUID } from "node:crypto";
import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createHarness, textOf, type Answered, type AskOptions, type Harness } from "../harness.ts";
import { documentText } from "../listed-api.ts";

/** A small reference model of the service: the existing resources, and the answer to the next request about each. */
interface Model {
  readonly runs: { readonly id: string; state: "waiting" | "completed" | "failed"; over?: "decided" | "cancelled" }[];
  readonly draft: {
    /** 0: there is none. */
    revision: number;
    lastRevision: number;
    /** The newest version whose changes it contains. */
    base: string | undefined;
  };
  newest: string | undefined;
  readonly versions: Set<string>;
  /** Ids by name. */
  readonly connections: Map<string, string>;
  readonly webhooks: Map<string, boolean>;
  readonly keys: Map<string, { readonly raw: string; alive: boolean }>;
}

interface Service {
  readonly harness: Harness;
  ask(target: string, options?: AskOptions): Promise<Answered>;
}

type Step = fc.AsyncCommand<Model, Service>;

function step(name: string, run: (model: Model, service: Service) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name };
}

const pick = <T>(items: Iterable<T>, at: number): T | undefined => {
  const all = [...items];
  return all[at % Math.max(1, all.length)];
};
const documentOf = (harness: Harness, name: string) => ({ ...harness.documents.echo, procedureId: "p", name });

const start = (): Step =>
  step("start", async (model, { ask, harness }) => {
    const answer = await ask("POST /v1/procedures/ask/sandbox", { body: { data: { amount: 1 } } });
    expect(answer.status).toBe(202);
    const id = textOf(answer.body["runId"]);
    await harness.settled(id);
    model.runs.push({ id, state: "waiting" });
  });

const decide = (at: number, approved: boolean): Step =>
  step(`decide ${at} ${approved}`, async (model, { ask, harness }) => {
    const run = pick(model.runs, at);
    const body = { approved, rejectionReason: "no", idempotencyKey: randomUUID() };
    const answer = await ask(`POST /api/runner-proxy/review/${run?.id ?? "none"}`, { body });
    if (run === undefined) expect(answer.status).toBe(404);
    else if (run.state === "waiting") {
      expect(answer.status).toBe(200);
      run.state = approved ? "completed" : "failed";
      await harness.ended(run.id);
      run.over = "decided";
      // A run that was cancelled before a decision has no review to decide; a decided run returns its decision.
    } else expect(answer.status).toBe(run.over === "decided" ? 409 : 404);
  });

const cancel = (at: number): Step =>
  step(`cancel ${at}`, async (model, { ask, harness }) => {
    const run = pick(model.runs, at);
    const answer = await ask(`POST /api/v1/runs/${run?.id ?? "none"}/cancel`, { body: {} });
    // A repeated cancellation succeeds.
    expect(answer.status).toBe(run === undefined ? 404 : run.over === "decided" ? 409 : 200);
    if (run?.state !== "waiting") return;
    run.state = "failed";
    run.over = "cancelled";
    await harness.ended(run.id);
  });

const readRuns = (): Step =>
  step("read runs", async (model, { ask }) => {
    const { body } = await ask("GET /api/v1/runs?limit=100");
    const listed = (body["data"] as { runId: string; status: string }[]).map(({ runId, status }) => [runId, status]);
    const known = model.runs.map(({ id, state }) => [id, state === "waiting" ? "awaiting_review" : state]);
    expect(listed.toSorted()).toEqual(known.toSorted());
  });

const saveDraft = (revision: number): Step =>
  step(`save draft over ${revision}`, async (model, { ask, harness }) => {
    const { draft, newest } = model;
    const current = draft.revision;
    const answer = await ask("PUT /api/v1/procedures/p/draft", {
      body: { document: documentOf(harness, "Draft"), revision },
    });
    expect(answer.status).toBe(revision === current ? 200 : 409);
    if (revision !== current) return;
    if (current === 0) draft.base = newest;
    draft.revision = ++draft.lastRevision;
  });

const discardDraft = (revision: number): Step =>
  step(`discard draft ${revision}`, async ({ draft }, { ask }) => {
    const answer = await ask(`DELETE /api/v1/procedures/p/draft?revision=${revision}`);
    expect(answer.status).toBe(draft.revision === 0 ? 404 : revision === draft.revision ? 200 : 409);
    if (revision !== draft.revision) return;
    draft.revision = 0;
    draft.lastRevision += 1;
  });

const publishDraft = (version: string): Step =>
  step(`publish draft as ${version}`, async (model, { ask }) => {
    const { draft, newest } = model;
    const answer = await ask("POST /api/v1/procedures/p/versions", { body: { version } });
    const isRefused = draft.base !== newest || model.versions.has(version);
    expect(answer.status).toBe(draft.revision === 0 ? 404 : isRefused ? 409 : 201);
    if (answer.status !== 201) return;
    model.versions.add(version);
    model.newest = draft.base = version;
  });

const publish = (version: string, name: string): Step =>
  step(`publish ${version} ${name}`, async (model, { ask, harness }) => {
    const body = { version, document: documentOf(harness, name) };
    const answer = await ask("POST /api/v1/procedures/p/versions", { body });
    expect(answer.status).toBe(model.versions.has(version) ? 409 : 201);
    if (answer.status === 201) model.newest = version;
    model.versions.add(version);
  });

const setDefault = (version: string): Step =>
  step(`default ${version}`, async (model, { ask }) => {
    const answer = await ask("PUT /api/v1/procedures/p/defaults/sandbox", { body: { version } });
    expect(answer.status).toBe(model.versions.has(version) ? 200 : 404);
  });

const createConnection = (name: string): Step =>
  step(`create connection ${name}`, async (model, { ask }) => {
    const settings = { spec: { text: documentText() } };
    const body = { name, integration: "custom_api", environment: "sandbox", settings };
    const answer = await ask("POST /api/v1/connections", { body });
    expect(answer.status).toBe(model.connections.has(name) ? 409 : 201);
    if (answer.status === 201) model.connections.set(name, textOf(answer.body["id"]));
  });

const renameConnection = (from: string, to: string): Step =>
  step(`rename connection ${from} to ${to}`, async (model, { ask }) => {
    const id = model.connections.get(from);
    const answer = await ask(`PATCH /api/v1/connections/${id ?? "none"}`, { body: { name: to } });
    expect(answer.status).toBe(id === undefined ? 404 : from !== to && model.connections.has(to) ? 409 : 200);
    if (id === undefined || answer.status !== 200) return;
    model.connections.delete(from);
    model.connections.set(to, id);
  });

const deleteConnection = (name: string): Step =>
  step(`delete connection ${name}`, async (model, { ask }) => {
    const id = model.connections.get(name);
    const answer = await ask(`DELETE /api/v1/connections/${id ?? "none"}`);
    expect(answer.status).toBe(id === undefined ? 404 : 200);
    model.connections.delete(name);
  });

const readConnections = (): Step =>
  step("read connections", async (model, { ask }) => {
    const { body } = await ask("GET /api/v1/connections?limit=100");
    const listed = (body["data"] as { name: string }[]).map(({ name }) => name);
    expect(listed.toSorted()).toEqual([...model.connections.keys(), "desk"].toSorted());
  });

const createWebhook = (): Step =>
  step("create webhook", async (model, { ask }) => {
    const body = { url: "http://127.0.0.77:8099", events: ["custom.never"] };
    const answer = await ask("POST /api/v1/webhooks", { body });
    expect(answer.status).toBe(201);
    model.webhooks.set(textOf(answer.body["id"]), true);
  });

const switchWebhook = (at: number, isActive: boolean): Step =>
  step(`switch webhook ${at} ${isActive}`, async (model, { ask }) => {
    const id = pick(model.webhooks.keys(), at);
    const answer = await ask(`PATCH /api/v1/webhooks/${id ?? "none"}`, { body: { isActive } });
    expect(answer.status).toBe(id === undefined ? 404 : 200);
    if (id !== undefined) model.webhooks.set(id, isActive);
  });

const deleteWebhook = (at: number): Step =>
  step(`delete webhook ${at}`, async (model, { ask }) => {
    const id = pick(model.webhooks.keys(), at);
    if (id === undefined) return;
    expect((await ask(`DELETE /api/v1/webhooks/${id}`)).status).toBe(200);
    expect((await ask(`DELETE /api/v1/webhooks/${id}`)).status).toBe(404);
    model.webhooks.delete(id);
  });

const readWebhooks = (): Step =>
  step("read webhooks", async (model, { ask }) => {
    const { body } = await ask("GET /api/v1/webhooks?limit=100");
    const listed = (body["data"] as { id: string; isActive: boolean }[]).map(({ id, isActive }) => [id, isActive]);
    expect(listed.toSorted()).toEqual([...model.webhooks].toSorted());
  });

const createKey = (): Step =>
  step("create key", async (model, { ask }) => {
    const { body } = await ask("POST /api/v1/api-keys", { body: { name: "k", environment: "sandbox" } });
    model.keys.set(textOf(body["id"]), { raw: textOf(body["key"]), alive: true });
  });

const deleteKey = (at: number): Step =>
  step(`delete key ${at}`, async (model, { ask }) => {
    const [id, key] = pick(model.keys, at) ?? [];
    const answer = await ask(`DELETE /api/v1/api-keys/${id ?? "none"}`);
    expect(answer.status).toBe(key?.alive === true ? 200 : 404);
    if (key !== undefined) key.alive = false;
  });

const useKey = (at: number): Step =>
  step(`use key ${at}`, async (model, { ask }) => {
    const [, key] = pick(model.keys, at) ?? [];
    if (key === undefined) return;
    expect((await ask("GET /api/v1/webhooks", { key: key.raw })).status).toBe(key.alive ? 200 : 401);
  });

const anyPlace = fc.nat({ max: 5 });
const anyName = fc.constantFrom("c1", "c2");
const anyVersion = fc.constantFrom("v1", "v2", "v3");

test("any sequence of requests has the answers of a small reference model of the service", async () => {
  const commands = fc.commands(
    [
      fc.constant(start()),
      fc.tuple(anyPlace, fc.boolean()).map(([at, approved]) => decide(at, approved)),
      anyPlace.map(cancel),
      fc.constant(readRuns()),
      fc.nat({ max: 3 }).map(saveDraft),
      fc.integer({ min: 1, max: 3 }).map(discardDraft),
      anyVersion.map(publishDraft),
      fc.tuple(anyVersion, fc.constantFrom("One", "Two")).map(([version, name]) => publish(version, name)),
      anyVersion.map(setDefault),
      anyName.map(createConnection),
      fc.tuple(anyName, anyName).map(([from, to]) => renameConnection(from, to)),
      anyName.map(deleteConnection),
      fc.constant(readConnections()),
      fc.constant(createWebhook()),
      fc.tuple(anyPlace, fc.boolean()).map(([at, isActive]) => switchWebhook(at, isActive)),
      anyPlace.map(deleteWebhook),
      fc.constant(readWebhooks()),
      fc.constant(createKey()),
      anyPlace.map(deleteKey),
      anyPlace.map(useKey),
    ],
    { maxCommands: 30 },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const harness = await createHarness();
      const key = await harness.key(["run", "manage", "review"], "sandbox", "rita");
      const model: Model = {
        runs: [],
        draft: { revision: 0, lastRevision: 0, base: undefined },
        newest: undefined,
        versions: new Set(),
        connections: new Map(),
        webhooks: new Map(),
        keys: new Map(),
      };
      const ask: Service["ask"] = (target, options = {}) => harness.ask(target, { key, ...options });
      await fc.asyncModelRun(() => ({ model, real: { harness, ask } }), sequence);
      expect(harness.logged).toEqual([]);
      await harness.stop();
    }),
    { numRuns: cases({ commit: 200, nightly: 10_000, release: 10_000 }) },
  );
});
