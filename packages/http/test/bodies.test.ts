import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { bodyBytesOfKey } from "../src/access/body-room.ts";
import { createBench, until, type Bench } from "./bench.ts";

const mebibyte = 1024 * 1024;
const text = "x".repeat(1_000_000);

const start = (bench: Bench, key: string, environment: string, procedureId = "echo", executionMode = "async") =>
  bench.ask(`POST /v1/procedures/${procedureId}/${environment}`, {
    key,
    body: { data: { text }, control: { executionMode } },
  });

/** A start whose body is declared; so much of it is sent, and no more. The first bytes of an answer, if one comes. */
async function unfinished(port: number, key: string, sent: number): Promise<{ socket: Socket; answered: Promise<string> }> {
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

describe("bodies of requests", () => {
  test("a declared length takes no memory from others before its bytes arrive", async () => {
    const bench = await createBench();
    const key = await bench.key();
    const { port } = await bench.listen();
    for (let n = 0; n < 100; n++) await unfinished(port, key, 0);
    // Sent after them on a connection of its own, so that theirs have been seen.
    const { socket, answered } = await unfinished(port, key, mebibyte - 1);
    expect((await start(bench, key, "sandbox")).status).toBe(202);
    socket.write("x");
    expect(await answered).toMatch(/^HTTP\/1\.1 400/);
  });

  test("a run that is waited for does not keep its body once it is durable", async () => {
    const bench = await createBench();
    const key = await bench.key();
    const held = Array.from({ length: 60 }, () => start(bench, key, "sandbox", "slow", "sync"));
    const statuses: number[] = [];
    const bodies = 60;
    for (const one of held) void one.then(({ status }) => statuses.push(status));
    await until(
      async () =>
        statuses.length + (await bench.engine.runs.list({ environment: "sandbox", limit: 100 })).items.length === bodies,
    );
    // Sixteen fit into the key's share at once. Their bodies are gone, and they wait.
    const inTime = 16;
    while (statuses.filter((status) => status === 429).length < bodies - inTime) await new Promise(setImmediate);
    const more = Array.from({ length: inTime }, () => start(bench, key, "sandbox", "slow", "sync"));
    await until(
      async () => (await bench.engine.runs.list({ environment: "sandbox", limit: 100 })).items.length >= 2 * inTime,
    );
    bench.letGo();
    for (const one of more) expect((await one).status).toBe(200);
    expect((await Promise.all(held)).filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(inTime);
  });

  test("a key whose bodies fill its share keeps neither its deletion, other keys nor live waiting", async () => {
    const bench = await createBench();
    const [other, live] = [await bench.key(), await bench.key(undefined, "live")];
    const { key: greedy } = await bench.engine.keys.create({ name: "greedy", environment: "sandbox", by: { person: "olga" } });
    const { port } = await bench.listen();
    const most = Math.ceil(bodyBytesOfKey / (mebibyte - 1)) + 1;
    const bodies = await Promise.all(Array.from({ length: most }, () => unfinished(port, greedy, mebibyte - 1)));
    // The first that finds no room says that all of it is taken.
    expect(await Promise.race(bodies.map(({ answered }) => answered))).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: \d/);
    expect((await start(bench, other, "sandbox")).status).toBe(202);
    expect((await start(bench, live, "live")).status).toBe(202);
    const { body } = await bench.ask("GET /api/v1/api-keys", { key: greedy });
    const [own] = (body["data"] as { readonly id: string; readonly name: string }[]).filter(({ name }) => name === "greedy");
    expect((await bench.ask(`DELETE /api/v1/api-keys/${own?.id}`, { key: greedy })).status).toBe(200);
    expect((await bench.ask("GET /api/v1/api-keys", { key: greedy })).status).toBe(401);
  });
});
