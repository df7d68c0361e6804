/** The time within which another service is answered: some give up after 5 s, with the body and the work together. */
import { interruptibleStorage, manualClock } from "@procedo-testing/faults";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test } from "vitest";
import { createHarness, owner } from "./harness.ts";
import { cards, cardsSignature, signingSecret } from "./signed-services.ts";

async function createDoor() {
  const clock = manualClock();
  const gate = interruptibleStorage(createMemoryStorage({ now: clock.now }));
  const harness = await createHarness({ clock, storage: gate.storage, started: false, integrations: [cards] });
  onTestFinished(() => gate.mend());
  const { inbound } = await harness.engine.connections.create({
    name: "cards",
    integration: "cards",
    environment: "live",
    secrets: { signingSecret },
    by: owner,
  });
  const seconds = Math.floor(clock.now() / 1_000);
  const body = JSON.stringify({ id: "evt_1", type: "payment.succeeded", created: seconds, livemode: true });
  /** A request whose body arrives when `arrive` is called. */
  const open = () => {
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
      headers: { "Cards-Signature": cardsSignature(body, seconds) },
      body: stream,
      duplex: "half",
    } as RequestInit);
    return { answering: harness.http.fetch(request), arrive: () => arrive(), cancelled: cancelled.promise };
  };
  return { clock, gate, open };
}

const summary = async (response: Response) => [
  response.status,
  response.headers.get("retry-after"),
  await response.text(),
];

test("a body that arrives after 4 s leaves less than a second for hanging storage: 503 before 5 s", async () => {
  const { clock, gate, open } = await createDoor();
  const { answering, arrive } = open();
  await clock.advance(4_000);
  gate.hang();
  arrive();
  await clock.advance(900);
  expect(await summary(await answering)).toEqual([503, "1", ""]);
});

test("a body that does not arrive is answered 503 before 5 s, and it is not awaited any longer", async () => {
  const { clock, open } = await createDoor();
  const { answering, cancelled } = open();
  await clock.advance(4_900);
  expect(await summary(await answering)).toEqual([503, "1", ""]);
  expect(await cancelled).toMatchObject({ code: "overloaded" });
});

test("a body that arrives after 4 s is answered 200 by storage that works", async () => {
  const { clock, open } = await createDoor();
  const { answering, arrive } = open();
  await clock.advance(4_000);
  arrive();
  expect(await summary(await answering)).toEqual([200, null, ""]);
});
