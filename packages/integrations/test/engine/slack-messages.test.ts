import type { JsonObject } from "@procedo/contract";
import { createEngine, silentLog, systemClock } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test, vi } from "vitest";
import { slack } from "../../src/services/index.ts";
import { callbackOf, commandOf, signedBySlack, slackConnection } from "../../src/services/slack/slack.probe.ts";
import { by, sandbox } from "./ledger-engine.ts";

const { settings, secrets } = slackConnection;
const message = { type: "message", channel: "C0BILLS", channel_type: "channel", user: "U0CLERK", text: "Pay 1007" };

/** An engine with a connection to Slack, and a procedure that a message or a command starts. */
async function workspace() {
  const engine = createEngine({
    storage: createMemoryStorage({ now: systemClock.now }),
    ...{ integrations: [slack()], masterKey: new Uint8Array(32).fill(7), log: silentLog },
  });
  await engine.start();
  onTestFinished(() => engine.stop());
  const { inbound } = await engine.connections.create({
    ...{ name: "chat", integration: "slack", ...sandbox, settings, secrets, by },
  });
  const document = {
    ...{ schemaVersion: 1, procedureId: "bill", name: "Bill", input: { type: "object" } },
    nodes: [
      { id: "start", kind: "start" },
      { id: "done", kind: "end", output: { event: "{{ input.event }}" } },
    ],
    edges: [{ from: "start", to: "done" }],
  } as const;
  await engine.procedures.publish({ document, version: "v1", defaultIn: ["sandbox"], by });
  const { triggerId } = await engine.triggers.create({
    ...{ name: "bills", procedureId: "bill", ...sandbox, by, input: { event: "{{ event }}" } },
    source: { kind: "integration", connection: "chat", events: ["message", "slash_command"] },
  });

  const deliver = (body: string, changed: { readonly [name: string]: string } = {}) => {
    const headers = { ...signedBySlack(body, { nowMs: Date.now(), secrets }), ...changed };
    const lines = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]] as const);
    return engine.inbound.receive({
      ...{ address: inbound?.address ?? "", headers: new Map(lines), body: new TextEncoder().encode(body) },
    });
  };
  /** The texts of the events that started runs, once each run has ended. */
  const started = (): Promise<readonly unknown[]> =>
    vi.waitFor(
      async () => {
        const { items: firings } = await engine.triggers.firings({ ...sandbox, triggerId, limit: 50 });
        expect(firings.filter(({ status }) => status !== "started")).toEqual([]);
        const { items } = await engine.runs.list({ ...sandbox, limit: 50 });
        expect(items.filter(({ status }) => status !== "completed")).toEqual([]);
        expect(items).toHaveLength(firings.length);
        const runs = await Promise.all(items.map(({ runId }) => engine.runs.get({ ...sandbox, runId })));
        return runs.map(({ output }) => output as { readonly event: JsonObject }).map(({ event }) => event["text"]);
      },
      { timeout: 90_000 },
    );
  return { deliver, started };
}

const sentAt = (second: number): string => `${Math.floor(Date.now() / 1_000) - 60 + second}.000100`;

test("a message under eleven event ids starts one run, and the same text posted twice starts two", async () => {
  const { deliver, started } = await workspace();
  const [first, second] = [sentAt(1), sentAt(2)];
  const deliveries = Array.from({ length: 11 }, (_, n) =>
    callbackOf({ ...message, ts: first }, { event_id: `Ev${n}` }),
  );
  const answers = await Promise.all(deliveries.map((body) => deliver(body)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 200));
  expect(await started()).toEqual(["Pay 1007"]);
  await deliver(callbackOf({ ...message, ts: second }));
  expect(await started()).toEqual(["Pay 1007", "Pay 1007"]);
});

test("a message of the app itself starts nothing, and one of another app starts a run", async () => {
  const { deliver, started } = await workspace();
  const ofApp = (app_id: string, n: number) =>
    callbackOf({ ...message, user: "U0BOT", bot_profile: { app_id }, text: app_id, ts: sentAt(n) });
  expect(await deliver(ofApp("A0ROBOT", 1))).toMatchObject({ status: 200 });
  expect(await deliver(ofApp("A0OTHER", 2))).toMatchObject({ status: 200 });
  expect(await started()).toEqual(["A0OTHER"]);
});

test("the check of an address is answered with its challenge after a good signature only", async () => {
  const { deliver } = await workspace();
  const body = JSON.stringify({ type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV", token: "t" });
  const text = { contentType: "text/plain; charset=utf-8", text: "3eZbrw1aBm2rZgRNFdxV" };
  expect(await deliver(body)).toEqual({ status: 200, body: text });
  expect(await deliver(body, { "X-Slack-Signature": "v0=00" })).toEqual({ status: 401, unproven: "wrong_signature" });
  const stale = signedBySlack(body, { nowMs: Date.now() - 400_000, secrets });
  expect(await deliver(body, stale)).toEqual({ status: 401, unproven: "wrong_signature" });
});

test("a command starts a run, and one of the other environment's app is answered with 403", async () => {
  const { deliver, started } = await workspace();
  const command = { command: "/pay", text: "1007", team_id: "T0BOOKS", user_id: "U0CLERK", channel_id: "C0BILLS" };
  expect(await deliver(commandOf({ ...command, api_app_id: "A0TESTS" }))).toMatchObject({ status: 403 });
  expect(await deliver(commandOf({ ...command, api_app_id: "A0ROBOT" }))).toMatchObject({ status: 200 });
  expect(await started()).toEqual(["1007"]);
});
