/** Names whose name server does not answer: a real one on this machine, silent for some names. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { answering, http, listen } from "../src/egress/listeners.fixture.ts";
import { createNameResolver } from "../src/egress/name-resolver.ts";
import { nameServer } from "../src/egress/name-server.fixture.ts";
import { call, procedure } from "./documents.ts";
import { createWebhookBench, hasEnded, receive, type WebhookBench } from "./webhook-bench.ts";

const noFile = "/nowhere/procedo-test";
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Engines that ask a name server which is silent for all names except `receiver.test`. */
async function silentNames() {
  /** Names that the server was asked for, and those that were to be resolved: questions get lost where hundreds leave at once. */
  const [silent, resolving] = [new Set<string>(), new Set<string>()];
  const server = await nameServer((name) => (name === "receiver.test" ? ["127.0.0.1"] : (silent.add(name), "silent")));
  const resolve = createNameResolver({ servers: [server.address], hostsFile: noFile, resolvConf: noFile });
  // What an address is checked with before it is saved is not what these tests are about.
  let isSaving = true;
  const bench = await createWebhookBench({
    egress: {
      allowNetworks: ["127.0.0.0/8"],
      resolve: async (name, stop) => {
        if (isSaving) return ["127.0.0.1"];
        resolving.add(name);
        return await resolve(name, stop);
      },
    },
  });
  return { bench, server, silent, resolving, saved: () => (isSaving = false) };
}

const named = (url: string): string => url.replace("127.0.0.1", "receiver.test");

async function subscribeSilent(bench: WebhookBench, count: number): Promise<void> {
  for (const nth of range(count)) await bench.subscribe(`http://silent-${nth}.test/hook`);
}

describe("twelve webhooks whose names are not answered", () => {
  test("delay no delivery of their environment or of the other one, and no file", async () => {
    const { bench, silent, saved } = await silentNames();
    const [sandbox, live] = [await receive(), await receive()];
    await subscribeSilent(bench, 12);
    const here = await bench.subscribe(named(sandbox.url));
    const there = await bench.subscribe(named(live.url), { environment: "live" });
    saved();
    // More deliveries than may go out at once, of all webhooks.
    for (const _run of range(60)) await bench.tell("sandbox");
    await bench.until(() => silent.size === 12);
    await bench.tell("live");
    await bench.tell("sandbox");
    // Far less time passes here than a name may take: only the names that are answered can have been delivered to.
    const sinceMs = bench.clock.now();
    await bench.until(async () => {
      await bench.clock.advance(10);
      return live.requests.length === 1 && sandbox.requests.length === 61;
    });
    expect(bench.clock.now() - sinceMs).toBeLessThan(3_000);
    await bench.until(async () => (await bench.deliveries(there)).every(hasEnded));
    await bench.until(async () => (await bench.deliveries(here)).every(hasEnded));
    expect(await readFile(new URL(import.meta.url), "utf8")).toContain("no file");
  });

  test("ask for each name once at a time, however many deliveries wait for it", async () => {
    const { bench, server, silent, saved } = await silentNames();
    await subscribeSilent(bench, 2);
    saved();
    for (const _run of range(10)) await bench.tell("sandbox");
    await bench.until(() => silent.size === 2);
    const asked = server.questions.filter((question) => question === "A silent-0.test");
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  test("fail with a message about the name, and are tried again", async () => {
    const { bench, server, saved } = await silentNames();
    const webhook = await bench.subscribe("http://silent-0.test/hook");
    saved();
    await bench.tell("sandbox");
    await server.asked("A silent-0.test");
    await bench.clock.advance(10_000);
    expect(await bench.deliveryThat(webhook, ({ error }) => error !== undefined)).toMatchObject({
      status: "pending",
      attemptCount: 1,
      error: expect.stringMatching(/^The name "silent-0.test" was not resolved in time/) as string,
    });
  });
});

test.each([
  ["sandbox", "live"],
  ["live", "sandbox"],
] as const)("600 webhooks of %s whose names are not answered delay no delivery of %s", async (environment, other) => {
  const { bench, resolving, saved } = await silentNames();
  const receiver = await receive();
  for (const nth of range(600)) await bench.subscribe(`http://silent-${nth}.test/hook`, { environment });
  await bench.subscribe(named(receiver.url), { environment: other });
  saved();
  for (const _run of range(2)) await bench.tell(environment);
  // As many as one environment may have at once, of 512. Each claim takes half of the free places, the next one 10 ms later.
  await bench.until(async () => {
    await bench.clock.advance(10);
    return resolving.size === 384;
  });
  for (const _run of range(20)) await bench.tell(other);
  // No time passes here: what is under way for the silent names does not end.
  await bench.until(() => receiver.requests.length === 20);
  expect([...resolving].filter((name) => name !== "receiver.test")).toHaveLength(384);
});

test("a call of a run is not delayed by twelve names that are not answered", async () => {
  const { bench, silent, saved } = await silentNames();
  const api = await listen(answering(http("200 OK", [], "paid")));
  await subscribeSilent(bench, 12);
  saved();
  await bench.tell("sandbox");
  await bench.until(() => silent.size === 12);
  let status = 0;
  bench.bank.plan("once", async ({ context }) => {
    status = (await context.fetch(`http://receiver.test:${api.port}/pay`, { method: "POST" })).status;
    return { id: "paid" };
  });
  await bench.publish(procedure([call("a", "once")]), { version: "v2", defaultIn: ["live"] });
  await bench.run({}, { environment: "live" });
  await bench.until(() => status !== 0);
  expect(status).toBe(200);
});

test("a webhook whose name is not answered is not made, and its creator is told about the name", async () => {
  const { bench, server, saved } = await silentNames();
  saved();
  const waits: boolean[] = [];
  const options = { outside: (isOutside: boolean) => void waits.push(isOutside) };
  const creating = bench.engine.webhooks.create(
    { url: "http://silent-0.test/hook", events: ["run_completed"], environment: "sandbox", by: { person: "alice" } },
    options,
  );
  const refused = expect(creating).rejects.toMatchObject({
    code: "outgoing_failed",
    message: 'The name "silent-0.test" was not resolved in time: its name server did not answer.',
  });
  await server.asked("A silent-0.test");
  await bench.clock.advance(3_000);
  await refused;
  expect(waits).toEqual([true, false]);
  expect((await bench.engine.webhooks.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
});
