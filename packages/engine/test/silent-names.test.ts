/** Names whose name server does not answer: a real one on this machine that ignores some names. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { answering, http, listen } from "../src/egress/listeners.fixture.ts";
import { createNameResolver } from "../src/egress/name-resolver.ts";
import { nameServer } from "../src/egress/name-server.fixture.ts";
import { call, procedure } from "./documents.ts";
import { createWebhookHarness, hasEnded, receive, type WebhookHarness } from "./webhook-harness.ts";

const noFile = "/nowhere/procedo-test";
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Engines with a name server that ignores all names except `receiver.test`. */
async function silentNames() {
  /**
   * The names that reached the server, and the names to resolve: some packets are lost when hundreds are sent at once.
   */
  const [silent, resolving] = [new Set<string>(), new Set<string>()];
  /** The names whose lookup has ended, with or without an address. */
  const looked = new Set<string>();
  const server = await nameServer((name) => (name === "receiver.test" ? ["127.0.0.1"] : (silent.add(name), "silent")));
  const resolve = createNameResolver({ servers: [server.address], hostsFile: noFile, resolvConf: noFile });
  // The check of an address before it is saved is not part of these tests.
  let isSaving = true;
  const harness = await createWebhookHarness({
    egress: {
      allowNetworks: ["127.0.0.0/8"],
      resolve: async (name, stop) => {
        if (isSaving) return ["127.0.0.1"];
        resolving.add(name);
        try {
          return await resolve(name, stop);
        } finally {
          looked.add(name);
        }
      },
    },
  });
  return { harness, server, silent, resolving, looked, saved: () => (isSaving = false) };
}

const named = (url: string): string => url.replace("127.0.0.1", "receiver.test");

async function subscribeSilent(harness: WebhookHarness, count: number): Promise<void> {
  for (const nth of range(count)) await harness.subscribe(`http://silent-${nth}.test/hook`);
}

describe("twelve webhooks whose names do not resolve", () => {
  test("delay no delivery of their environment or of the other one, and no file", async () => {
    const { harness, silent, looked, saved } = await silentNames();
    const [sandbox, live] = [await receive(), await receive()];
    await subscribeSilent(harness, 12);
    const here = await harness.subscribe(named(sandbox.url));
    const there = await harness.subscribe(named(live.url), { environment: "live" });
    saved();
    // More deliveries than may be sent at once, for all webhooks.
    for (const _run of range(60)) await harness.emitEvent("sandbox");
    await harness.until(() => silent.size === 12);
    await harness.emitEvent("live");
    await harness.emitEvent("sandbox");
    await harness.until(async () => {
      await harness.clock.advance(10);
      return live.requests.length === 1 && sandbox.requests.length === 61;
    });
    // All were delivered while the twelve lookups were still under way.
    expect([...looked]).toEqual(["receiver.test"]);
    await harness.until(async () => (await harness.deliveries(there)).every(hasEnded));
    await harness.until(async () => (await harness.deliveries(here)).every(hasEnded));
    expect(await readFile(new URL(import.meta.url), "utf8")).toContain("no file");
  });

  test("cause one lookup of each name at a time, however many deliveries wait for it", async () => {
    const { harness, server, silent, saved } = await silentNames();
    await subscribeSilent(harness, 2);
    saved();
    for (const _run of range(10)) await harness.emitEvent("sandbox");
    await harness.until(() => silent.size === 2);
    const asked = server.questions.filter((question) => question === "A silent-0.test");
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  test("fail with a message about the name, and are retried", async () => {
    const { harness, server, saved } = await silentNames();
    const webhook = await harness.subscribe("http://silent-0.test/hook");
    saved();
    await harness.emitEvent("sandbox");
    await server.received("A silent-0.test");
    await harness.clock.advance(10_000);
    expect(await harness.deliveryThat(webhook, ({ error }) => error !== undefined)).toMatchObject({
      status: "pending",
      attemptCount: 1,
      error: expect.stringMatching(/^The name "silent-0.test" was not resolved in time/) as string,
    });
  });
});

test.each([
  ["sandbox", "live"],
  ["live", "sandbox"],
] as const)("600 webhooks of %s whose names do not resolve delay no delivery of %s", async (environment, other) => {
  const { harness, resolving, saved } = await silentNames();
  const receiver = await receive();
  for (const nth of range(600)) await harness.subscribe(`http://silent-${nth}.test/hook`, { environment });
  await harness.subscribe(named(receiver.url), { environment: other });
  saved();
  for (const _run of range(2)) await harness.emitEvent(environment);
  // The maximum of one environment, of 512. Each claim takes half of the free places, the next one 10 ms later.
  await harness.until(async () => {
    await harness.clock.advance(10);
    return resolving.size === 384;
  });
  for (const _run of range(20)) await harness.emitEvent(other);
  // No time passes here, so the requests for the silent names do not end.
  await harness.until(() => receiver.requests.length === 20);
  expect([...resolving].filter((name) => name !== "receiver.test")).toHaveLength(384);
});

test("a call of a run is not delayed by twelve unresolved names", async () => {
  const { harness, silent, saved } = await silentNames();
  const api = await listen(answering(http("200 OK", [], "paid")));
  await subscribeSilent(harness, 12);
  saved();
  await harness.emitEvent("sandbox");
  await harness.until(() => silent.size === 12);
  let status = 0;
  harness.bank.plan("once", async ({ context }) => {
    status = (await context.fetch(`http://receiver.test:${api.port}/pay`, { method: "POST" })).status;
    return { id: "paid" };
  });
  await harness.publish(procedure([call("a", "once")]), { version: "v2", defaultIn: ["live"] });
  await harness.run({}, { environment: "live" });
  await harness.until(() => status !== 0);
  expect(status).toBe(200);
});

test("a webhook with an unresolved name is not created, and its creator gets an error about the name", async () => {
  const { harness, server, saved } = await silentNames();
  saved();
  const waits: boolean[] = [];
  const options = { outside: (isOutside: boolean) => void waits.push(isOutside) };
  const creating = harness.engine.webhooks.create(
    { url: "http://silent-0.test/hook", events: ["run_completed"], environment: "sandbox", by: { person: "alice" } },
    options,
  );
  const refused = expect(creating).rejects.toMatchObject({
    code: "upstream_unreachable",
    message: 'The name "silent-0.test" was not resolved in time: its name server did not answer.',
  });
  await server.received("A silent-0.test");
  await harness.clock.advance(3_000);
  await refused;
  expect(waits).toEqual([true, false]);
  expect((await harness.engine.webhooks.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
});
