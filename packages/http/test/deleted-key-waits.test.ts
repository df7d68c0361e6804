/* Waiting requests, answers in progress and clients' requests after the deletion of their key or token. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { manualClock } from "@procedo-testing/faults";
import { createEngine } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { createHarness, origin, read, textOf, until, type Harness } from "./harness.ts";
import { clientRequests } from "./client-requests.ts";
import { createOffice } from "./private-office.ts";

const environment = "sandbox";
const owner = { person: "olga" };
const unauthorized = { status: 401, body: { code: "unauthorized" } };

async function doomedKey({ engine }: Harness) {
  const named = { name: "doomed", environment, permissions: ["run", "manage"], by: owner } as const;
  const { key, keyId } = await engine.keys.create(named);
  return { key, keyId, deleteIt: () => engine.keys.remove({ keyId, by: owner }) };
}

const runsOf = async (harness: Harness) => (await harness.engine.runs.list({ environment, limit: 100 })).items;
const startSlow = (harness: Harness, key: string, idempotencyKey = "k") =>
  harness.ask("POST /v1/procedures/slow/sandbox", {
    key,
    headers: { "idempotency-key": idempotencyKey },
    body: { data: {}, control: { executionMode: "sync" } },
  });

describe("a synchronous wait", () => {
  test("ends with its key: 401 without data of the run, which continues", async () => {
    const harness = await createHarness();
    const { key, deleteIt } = await doomedKey(harness);
    const waiting = startSlow(harness, key);
    await until(async () => (await runsOf(harness)).length === 1);
    await deleteIt();
    const answer = await waiting;
    expect(answer).toMatchObject(unauthorized);
    const [run] = await runsOf(harness);
    expect(answer.text).not.toContain(run?.runId);
    harness.release();
    await harness.ended(run?.runId ?? "");
    expect((await runsOf(harness))[0]?.status).toBe("completed");
  });

  test("for a run that was started before ends in the same way", async () => {
    const harness = await createHarness();
    const { key, deleteIt } = await doomedKey(harness);
    const { key: other } = await doomedKey(harness);
    const [first, repeated] = [startSlow(harness, other), startSlow(harness, key)];
    await until(async () => (await runsOf(harness)).length === 1);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    await deleteIt();
    expect(await repeated).toMatchObject(unauthorized);
    harness.release();
    expect(await first).toMatchObject({ status: 200, body: { status: "completed" } });
  });

  test("ends as soon as this node is notified that another one has deleted the key", async () => {
    const clock = manualClock();
    const storage = createMemoryStorage({ now: clock.now });
    const harness = await createHarness({ clock, storage });
    const otherNode = createEngine({ storage, integrations: [], masterKey: new Uint8Array(32).fill(7), clock });
    const { key, keyId } = await doomedKey(harness);
    const waiting = startSlow(harness, key);
    await until(async () => (await runsOf(harness)).length === 1);
    await otherNode.keys.remove({ keyId, by: owner });
    expect(await waiting).toMatchObject(unauthorized);
  });

  test("of another key continues", async () => {
    const harness = await createHarness();
    const [{ deleteIt }, { key }] = [await doomedKey(harness), await doomedKey(harness)];
    const waiting = startSlow(harness, key);
    await until(async () => (await runsOf(harness)).length === 1);
    await deleteIt();
    harness.release();
    expect(await waiting).toMatchObject({ status: 200, body: { status: "completed" } });
  });
});

test("a key that deletes itself gets the answer to the deletion", async () => {
  const harness = await createHarness();
  const { key, keyId } = await doomedKey(harness);
  expect(await harness.ask(`DELETE /api/v1/api-keys/${keyId}`, { key })).toMatchObject({ status: 200 });
  expect(await harness.ask("GET /api/v1/api-keys", { key })).toMatchObject(unauthorized);
});

describe("over TCP", () => {
  async function caller(port: number): Promise<Socket> {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  }

  test("an answer in progress is cut off, even if its caller does not read it", async () => {
    const harness = await createHarness();
    const data = { lines: Array.from({ length: 35_000 }, () => "x".repeat(100)) };
    const { runId } = await harness.engine.runs.execute({ procedureId: "echo", environment, data, by: owner });
    const { key, deleteIt } = await doomedKey(harness);
    const { port } = await harness.listen();
    const socket = await caller(port);
    socket.write(`GET /runs/${runId}?include=steps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    await once(socket, "data");
    socket.pause();
    // The sockets' buffers are full, and the service waits for room in them.
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    await deleteIt();
    socket.resume();
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.endsWith("0\r\n\r\n")).toBe(false);
    expect(text.length).toBeLessThan(2 * JSON.stringify(data).length);
  });

  test("a body that was requested with 100 Continue is read, and has no effect once the key is deleted", async () => {
    const harness = await createHarness();
    const { key, deleteIt } = await doomedKey(harness);
    const { port } = await harness.listen();
    const socket = await caller(port);
    const body = JSON.stringify({ data: {} });
    socket.write(
      `POST /v1/procedures/echo/sandbox HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    const [interim] = (await once(socket, "data")) as [Buffer];
    expect(interim.toString()).toMatch(/^HTTP\/1\.1 100 /);
    await deleteIt();
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(body);
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(await runsOf(harness)).toEqual([]);
  });
});

describe("a client's token that is regenerated", () => {
  test("while its poll is held ends it at once with 401", async () => {
    const harness = await createHarness();
    const office = await createOffice(harness);
    const digest = await office.register();
    const polling = harness.ask(`GET /v1/sdk/poll?max=1&manifest=${digest}`, { key: office.tokens.sandbox });
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    await harness.engine.privateConnections.regenerateToken({
      environment,
      connectionId: office.connectionId,
      by: owner,
    });
    expect(await polling).toMatchObject(unauthorized);
  });

  const withBody = operations.filter(({ access, ...operation }) => access === "client" && "body" in operation);

  test.each(withBody.map(({ id }) => id))("while the body arrives: %s is answered 401 without effect", async (id) => {
    const storage = createMemoryStorage({ now: Date.now });
    const harness = await createHarness({ storage });
    const request = await clientRequests[id]?.(harness, environment);
    if (request === undefined) throw new Error(`There is no request for ${id}.`);
    const [connection] = (await harness.engine.connections.list({ environment, limit: 10 })).items.filter(
      ({ integration }) => integration === "private_connection",
    );
    const connectionId = connection?.connectionId ?? "";
    const [run] = await runsOf(harness);
    const scope = { workspace: "default", environment } as const;
    const state = async () => ({
      manifests: (await storage.records.list({ workspace: "default", kind: "private_manifest", limit: 100 })).items
        .length,
      inbox: run && (await storage.inbox.read({ scope, runId: run.runId })),
      calls: run && (await storage.invocations.ofRun({ scope, runId: run.runId })),
      status: run && (await storage.runs.get({ scope, runId: run.runId }))?.status,
    });
    const before = await state();
    const [method = "", path = ""] = request.target.split(" ");
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await harness.engine.privateConnections.regenerateToken({ environment, connectionId, by: owner });
          controller.enqueue(new TextEncoder().encode(JSON.stringify(request.body)));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { authorization: `Bearer ${request.token}`, "content-type": "application/json" };
    const init = { method, headers, body, duplex: "half" as const };
    const answer = await read(await harness.http.fetch(new Request(`${origin}${path}`, init)));
    expect(answer).toMatchObject(unauthorized);
    expect(await state()).toEqual(before);
    expect(textOf(answer.body["error"])).toContain("regenerated");
  });
});
