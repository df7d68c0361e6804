import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { systemClock } from "@procedo/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { bodyBytesOfKey } from "../src/access/body-limiter.ts";
import { maxListItems } from "../src/request/read-body.ts";
import { createHarness, origin, until, type Harness } from "./harness.ts";

const mebibyte = 1024 * 1024;
const text = "x".repeat(1_000_000);

const start = (harness: Harness, key: string, environment: string, procedureId = "echo", executionMode = "async") =>
  harness.ask(`POST /v1/procedures/${procedureId}/${environment}`, {
    key,
    body: { data: { text }, control: { executionMode } },
  });

/**
 * Declares the body of a start and sends only this part of it. Resolves with the first bytes of an answer, if there is
 * one.
 */
async function unfinished(
  port: number,
  key: string,
  sent: number,
): Promise<{ socket: Socket; answered: Promise<string> }> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(
    `POST /v1/procedures/echo/sandbox HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${mebibyte}\r\n\r\n${"x".repeat(sent)}`,
  );
  const answered = new Promise<string>((resolve) => socket.once("data", (chunk: Buffer) => resolve(chunk.toString())));
  return { socket, answered };
}

describe("request bodies", () => {
  test("with a declared length take no memory from others before their bytes arrive", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const { port } = await harness.listen();
    for (let n = 0; n < 100; n++) await unfinished(port, key, 0);
    // Sent after them on a separate connection, so that theirs have been read.
    const { socket, answered } = await unfinished(port, key, mebibyte - 1);
    expect((await start(harness, key, "sandbox")).status).toBe(202);
    socket.write("x");
    expect(await answered).toMatch(/^HTTP\/1\.1 400/);
  });

  test("of a synchronous start are released once the run is durable", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const waiting: ReturnType<typeof start>[] = [];
    for (let runs = 1; runs <= 40; runs++) {
      waiting.push(start(harness, key, "sandbox", "slow", "sync"));
      await until(
        async () => (await harness.engine.runs.list({ environment: "sandbox", limit: 100 })).items.length === runs,
      );
    }
    harness.release();
    for (const one of waiting) expect((await one).status).toBe(200);
  });

  test("that fill the share of a key delay neither its deletion, other keys nor live", async () => {
    const harness = await createHarness();
    const [other, live] = [await harness.key(), await harness.key(undefined, "live")];
    const { key: greedy } = await harness.engine.keys.create({
      name: "greedy",
      environment: "sandbox",
      by: { person: "olga" },
    });
    const { port } = await harness.listen();
    const most = Math.ceil(bodyBytesOfKey / (mebibyte - 1)) + 1;
    const bodies = await Promise.all(Array.from({ length: most }, () => unfinished(port, greedy, mebibyte - 1)));
    // A refusal shows that all the room is in use.
    expect(await Promise.race(bodies.map(({ answered }) => answered))).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: \d/);
    expect((await start(harness, other, "sandbox")).status).toBe(202);
    expect((await start(harness, live, "live")).status).toBe(202);
    const { body } = await harness.ask("GET /api/v1/api-keys", { key: greedy });
    const [own] = (body["data"] as { readonly id: string; readonly name: string }[]).filter(
      ({ name }) => name === "greedy",
    );
    expect((await harness.ask(`DELETE /api/v1/api-keys/${own?.id}`, { key: greedy })).status).toBe(200);
    expect((await harness.ask("GET /api/v1/api-keys", { key: greedy })).status).toBe(401);
  });

  test("of a deleted key end with 401 at once and release their memory", async () => {
    const harness = await createHarness();
    const by = { person: "olga" };
    const other = await harness.key();
    const { port } = await harness.listen();
    const keyIds: string[] = [];
    const bodies: Awaited<ReturnType<typeof unfinished>>[] = [];
    const most = Math.floor(bodyBytesOfKey / (mebibyte - 1));
    for (const name of ["one", "two"]) {
      const { key, keyId } = await harness.engine.keys.create({ name, environment: "sandbox", by });
      keyIds.push(keyId);
      for (let n = 0; n < most; n++) bodies.push(await unfinished(port, key, mebibyte - 1));
    }
    const small = { key: other, body: { data: {} } };
    const full = async () => (await harness.ask("POST /v1/procedures/echo/sandbox", small)).status === 429;
    await until(full);
    for (const keyId of keyIds) await harness.engine.keys.remove({ keyId, by });
    for (const { answered } of bodies) expect(await answered).toMatch(/^HTTP\/1\.1 401/);
    expect(await full()).toBe(false);
  });

  test.each(["permissions", "roles"])(
    "with a list that is longer than any schema allows are a 413: %s",
    async (name) => {
      const harness = await createHarness();
      const key = await harness.key();
      const body = { name: "long", environment: "sandbox", [name]: Array.from({ length: maxListItems + 1 }, () => 1) };
      const answer = await harness.ask("POST /api/v1/api-keys", { key, body });
      expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
      expect(answer.text).toContain(`The list ${name} has more than 1000 items.`);
    },
  );

  test("in a web-standard Request end in the same way", async () => {
    const harness = await createHarness();
    const by = { person: "olga" };
    const { key, keyId } = await harness.engine.keys.create({ name: "one", environment: "sandbox", by });
    let isCancelled = false;
    let isRead = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (!isRead) controller.enqueue(new Uint8Array(10));
        isRead = true;
      },
      cancel: () => void (isCancelled = true),
    });
    const request = new Request(`${origin}/v1/procedures/echo/sandbox`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "content-length": "1000" },
      body,
      duplex: "half",
    });
    const answered = harness.http.fetch(request);
    await until(async () => isRead);
    await harness.engine.keys.remove({ keyId, by });
    expect((await answered).status).toBe(401);
    expect(isCancelled).toBe(true);
  });

  test("of one environment that are large are processed one step per turn of the event loop", async () => {
    const turns: (() => void)[] = [];
    let isHeld = false;
    const soon = (callback: () => void): void => {
      if (isHeld) turns.push(callback);
      else systemClock.soon(callback);
    };
    const harness = await createHarness({ clock: { ...systemClock, soon } });
    const [key, live] = [await harness.key(), await harness.key(undefined, "live")];
    isHeld = true;
    const answers = Array.from({ length: 3 }, () => start(harness, key, "sandbox"));
    await until(async () => turns.length > 0);
    for (let n = 0; n < 100; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toHaveLength(1);
    // A body of live waits for its own turn only.
    answers.push(start(harness, live, "live"));
    for (let n = 0; n < 100; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toHaveLength(2);
    isHeld = false;
    for (const turn of turns) turn();
    for (const answer of answers) expect((await answer).status).toBe(202);
  });
});
