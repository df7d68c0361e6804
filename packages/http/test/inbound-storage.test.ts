/**
 * Storage that fails or hangs while other services send events. Some give up after 5 s, for the body and the work together.
 */
import { interruptibleStorage, manualClock } from "@procedo-testing/faults";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHarness, owner } from "./harness.ts";
import { cards, cardsSignature, signingSecret } from "./signed-services.ts";

const environment = "live";

async function createReceiver() {
  const clock = manualClock();
  const gate = interruptibleStorage(createMemoryStorage({ now: clock.now }));
  const harness = await createHarness({ clock, storage: gate.storage, integrations: [cards] });
  onTestFinished(() => gate.mend());
  const { engine } = harness;
  const { inbound } = await engine.connections.create({
    ...{ name: "cards", integration: "cards", environment, secrets: { signingSecret }, by: owner },
  });
  const source = { kind: "integration" as const, connection: "cards", events: ["payment.succeeded"] };
  const { triggerId } = await engine.triggers.create({
    ...{ name: "t", environment, procedureId: "echo", source, by: owner },
  });
  const bodyOf = (id: string, type: string) =>
    JSON.stringify({ id, type, created: Math.floor(clock.now() / 1_000), livemode: true });

  /** A request whose body arrives when `arrive` is called. */
  const open = (body: string) => {
    let arrive = (): void => {};
    const cancelled = Promise.withResolvers<unknown>();
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        arrive = () => {
          controller.enqueue(new TextEncoder().encode(body));
          controller.close();
        };
      },
      cancel: (reason) => cancelled.resolve(reason),
    });
    const request = new Request(`http://procedo.test/in/v1/${inbound?.address ?? ""}`, {
      method: "POST",
      headers: { "Cards-Signature": cardsSignature(body, Math.floor(clock.now() / 1_000)) },
      body: stream,
      duplex: "half",
    });
    const answering = harness.http.fetch(request).then(async (response) => {
      return [response.status, response.headers.get("retry-after"), await response.text()];
    });
    return { answering, arrive: () => arrive(), cancelled: cancelled.promise };
  };
  return {
    clock,
    gate,
    body: bodyOf("evt_1", "payment.succeeded"),
    bodyOfOtherType: bodyOf("evt_0", "payment.failed"),
    open,
    send: async (body: string) => {
      const { arrive, answering } = open(body);
      arrive();
      return await answering;
    },
    runs: async () => (await engine.runs.list({ environment, limit: 10 })).items,
    firings: async () => (await engine.triggers.firings({ environment, triggerId, limit: 10 })).items,
  };
}

describe("case 28: while storage is down for 20 s, a service is told to retry, and its retry is exactly one run", () => {
  test.each([
    ["that was not read yet", false],
    ["in use", true],
  ])("at an address %s", async (_which, isUsed) => {
    const { clock, gate, body, bodyOfOtherType, send, runs, firings } = await createReceiver();
    if (isUsed) expect(await send(bodyOfOtherType)).toEqual([200, null, ""]);
    gate.cut();
    for (let seconds = 0; seconds < 20; seconds += 10) {
      expect(await send(body)).toEqual([503, "10", ""]);
      await clock.advance(10_000);
    }
    gate.mend();
    expect(await firings()).toEqual([]);
    expect(await send(body)).toEqual([200, null, ""]);
    expect(await send(body)).toEqual([200, null, ""]);
    await clock.advance(60_000);
    expect(await firings()).toMatchObject([{ status: "started", duplicates: 1 }]);
    expect(await runs()).toHaveLength(1);
  });
});

describe("a service that gives up after 5 s", () => {
  test("is answered 503 before, if its body took 4 s and storage hangs", async () => {
    const { clock, gate, body, open } = await createReceiver();
    const { answering, arrive } = open(body);
    await clock.advance(4_000);
    gate.hang();
    arrive();
    await clock.advance(900);
    expect(await answering).toEqual([503, "1", ""]);
  });

  test("is answered 503 before, if its body does not arrive, which is then not awaited any longer", async () => {
    const { clock, body, open } = await createReceiver();
    const { answering, cancelled } = open(body);
    await clock.advance(4_900);
    expect(await answering).toEqual([503, "1", ""]);
    expect(await cancelled).toMatchObject({ code: "overloaded" });
  });

  test("is answered 200, if its body took 4 s and storage works", async () => {
    const { clock, body, open } = await createReceiver();
    const { answering, arrive } = open(body);
    await clock.advance(4_000);
    arrive();
    expect(await answering).toEqual([200, null, ""]);
  });
});
