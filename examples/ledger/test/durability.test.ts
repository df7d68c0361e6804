import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { spawnLedger, startLedger } from "../src/index.ts";
import type { LedgerProcess } from "../src/index.ts";
import { clientOf, order } from "./ledger-client.ts";
import { listenOnSocket, send } from "./socket-ledger.ts";

let dataDir: string;
const running: LedgerProcess[] = [];
const spawned = async (token?: string): Promise<LedgerProcess> => {
  const ledger = await spawnLedger({ dataDir, ...(token !== undefined && { token }) });
  running.push(ledger);
  return ledger;
};
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "ledger-test-"));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((ledger) => ledger.kill()));
  rmSync(dataDir, { recursive: true });
});

test("kill -9 after a payment: the restarted ledger has the payment and replays its answer", async () => {
  const before = await spawned();
  const made = await clientOf(before).pay("k1", { ...order, invoiceId: "inv_1001" });
  await before.kill();
  const client = clientOf(await spawned());
  expect((await client.get("/payments")).body).toEqual({ data: [made.body] });
  expect((await client.get("/invoices/inv_1001")).body).toMatchObject({ amountPaid: 125_000, status: "paid" });
  const again = await client.pay("k1", { ...order, invoiceId: "inv_1001" });
  expect([again.status, again.text, again.headers.get("idempotent-replay")]).toEqual([201, made.text, "true"]);
  expect((await client.pay("k1")).body).toMatchObject({ code: "idempotency_key_reused" });
  expect((await client.pay("k2")).body.id).toBe("pay_2");
});

test("a token may begin with a dash, as one in 64 random tokens does", async () => {
  const { url } = await spawned("-4uLc");
  expect((await fetch(`${url}/payments`)).status).toBe(401);
  expect((await fetch(`${url}/payments`, { headers: { authorization: "Bearer -4uLc" } })).status).toBe(200);
});

test("dieAfterWork: the process exits without an answer, the effect is recorded, the rule is not", async () => {
  const before = await spawned();
  await clientOf(before).behave({ route: "POST /payments", dieAfterWork: true });
  await expect(clientOf(before).pay("k1")).rejects.toThrow();
  expect(await before.exited).toBe("SIGKILL");
  const client = clientOf(await spawned());
  expect((await client.get("/_control/effects")).body.data).toEqual([
    { key: "k1", requests: 1, executions: 1, bodies: [JSON.stringify(order)], paymentIds: ["pay_1"] },
  ]);
  const again = await client.pay("k1");
  expect([again.headers.get("idempotent-replay"), again.body.id]).toEqual(["true", "pay_1"]);
});

test("kill -9 before the work: the request is recorded as interrupted, and its key is free", async () => {
  const before = await spawned();
  const client = clientOf(before);
  await client.behave({ route: "POST /payments", delayMs: 600_000 });
  const lost = expect(client.pay("k1")).rejects.toThrow();
  await expect
    .poll(async () => (await client.get("/_control/requests")).body.data)
    .toMatchObject([{ outcome: "pending" }]);
  await before.kill();
  await lost;
  const restarted = clientOf(await spawned());
  expect((await restarted.get("/_control/requests")).body.data).toMatchObject([
    { key: "k1", body: JSON.stringify(order), outcome: "interrupted", executed: false },
  ]);
  expect((await restarted.pay("k1")).headers.get("idempotent-replay")).toBeNull();
});

test("kill -9 under load: every answered payment exists once, and no key has two payments", async () => {
  const before = await spawned();
  const client = clientOf(before);
  const answered = new Map<string, string>();
  const payers = Array.from({ length: 50 }, async (_, payer) => {
    for (let turn = 0; ; turn += 1) {
      const reply = await client.pay(`k${payer}-${turn}`).catch(() => undefined);
      if (!reply) return;
      answered.set(`k${payer}-${turn}`, reply.text);
      if (answered.size === 200) before.kill().catch(() => undefined);
    }
  });
  await Promise.all(payers);
  await before.exited;
  const restarted = clientOf(await spawned());
  const effects = (await restarted.get("/_control/effects")).body.data as { key: string; executions: number }[];
  expect(Math.max(...effects.map((effect) => effect.executions))).toBe(1);
  const executed = new Set(effects.filter((effect) => effect.executions === 1).map((effect) => effect.key));
  expect([...answered.keys()].filter((key) => !executed.has(key))).toEqual([]);
  for (const [key, text] of [...answered].slice(-50)) expect((await restarted.pay(key)).text).toBe(text);
});

test("a payment or its replay waits for the flush; a read does not", async () => {
  const flushes: PromiseWithResolvers<void>[] = [];
  const { journal, server, socketPath } = await listenOnSocket(() => {
    const flush = Promise.withResolvers<void>();
    flushes.push(flush);
    return flush.promise;
  });
  const headers = { "content-type": "application/json", "idempotency-key": "k1" };
  const pay = { socketPath, path: "/payments", method: "POST", headers };
  const answered: string[] = [];
  const first = send(pay, JSON.stringify(order)).then(() => answered.push("first"));
  await expect.poll(() => flushes.length).toBe(1);
  const repeat = send(pay, JSON.stringify(order)).then(() => answered.push("repeat"));
  await expect.poll(() => journal.records.requests().length).toBe(2);
  expect(await send({ socketPath, path: "/payments" })).toBe(200);
  expect(answered).toEqual([]);
  flushes[0]?.resolve();
  await first;
  await expect.poll(() => flushes.length).toBe(2);
  expect(answered).toEqual(["first"]);
  flushes[1]?.resolve();
  await repeat;
  server.closeAllConnections();
  server.close();
});

test("a payment whose flush fails is a 500, not an answer that could be lost", async () => {
  const { server, socketPath } = await listenOnSocket(() => Promise.reject(new Error("EIO")));
  const silenced = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const headers = { "content-type": "application/json" };
  expect(await send({ socketPath, path: "/payments", method: "POST", headers }, JSON.stringify(order))).toBe(500);
  expect(silenced).toHaveBeenCalledOnce();
  silenced.mockRestore();
  server.closeAllConnections();
  server.close();
});

test("a reset survives a restart", async () => {
  const before = await spawned();
  await clientOf(before).pay("k1");
  await clientOf(before).post("/_control/reset", {});
  await before.kill();
  const client = clientOf(await spawned());
  expect((await client.get("/_control/requests")).body).toEqual({ data: [] });
  expect((await client.pay("k1")).body.id).toBe("pay_1");
});

test("a line torn by a power loss is removed at every length; answered payments stay", async () => {
  const log = join(dataDir, "requests.jsonl");
  const ledger = await startLedger({ dataDir });
  await clientOf(ledger).pay("k1");
  const whole = readFileSync(log);
  await clientOf(ledger).pay("k2");
  await ledger.close();
  const two = readFileSync(log);
  for (let size = whole.length; size < two.length; size += 17) {
    writeFileSync(log, two);
    truncateSync(log, size);
    const reopened = await startLedger({ dataDir });
    const executed = reopened.effects().filter((effect) => effect.executions === 1);
    expect(executed.map((effect) => effect.key)).toEqual(["k1"]);
    expect((await clientOf(reopened).pay("k3")).body.id).toBe("pay_2");
    await reopened.close();
  }
});

test("a damaged record is refused with its line number, never guessed", async () => {
  const ledger = await startLedger({ dataDir });
  await clientOf(ledger).pay("k1");
  await ledger.close();
  appendFileSync(join(dataDir, "requests.jsonl"), '{"type":"received","seq":7}\n');
  await expect(startLedger({ dataDir })).rejects.toThrow(/^Line 4 of .*requests\.jsonl cannot be read/);
});

test("a second start on a used port fails and leaves the record unchanged", async () => {
  const ledger = await startLedger({ dataDir });
  const before = readFileSync(join(dataDir, "requests.jsonl"), "utf8");
  await expect(startLedger({ dataDir, port: ledger.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  expect(readFileSync(join(dataDir, "requests.jsonl"), "utf8")).toBe(before);
  await ledger.close();
});
