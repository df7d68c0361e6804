/** Connections whose request has ended: their lookup and their opening end, too. */
import { describe, expect, onTestFinished, test } from "vitest";
import { answering, http, listen } from "./listeners.fixture.ts";
import { createEgress } from "./egress.ts";

const aborted = expect.objectContaining({ failure: "aborted", sent: "no" }) as Error;

/** A client whose lookups the test answers. */
function handLookups() {
  const lookups: { readonly stop: AbortSignal; readonly answer: (addresses: readonly string[]) => void }[] = [];
  let reached = (): void => {};
  const client = createEgress({
    allowNetworks: ["127.0.0.1"],
    resolve: (_name, stop) =>
      new Promise((answer) => {
        lookups.push({ stop, answer });
        reached();
      }),
  });
  onTestFinished(() => client.close());
  const looked = (count: number): Promise<void> =>
    new Promise((resolve) => {
      reached = () => {
        if (lookups.length >= count) resolve();
      };
      reached();
    });
  return { client, lookups, looked };
}

describe.each(["reuse", "fresh"] as const)("with a %s connection", (connection) => {
  test("a lookup ends when its request is aborted", async () => {
    const { client, lookups, looked } = handLookups();
    const abort = new AbortController();
    const sending = client.fetch({ url: "http://receiver.test/", connection, signal: abort.signal });
    const refused = expect(sending).rejects.toThrow(aborted);
    await looked(1);
    expect(lookups[0]?.stop.aborted).toBe(false);
    abort.abort();
    await refused;
    expect(lookups[0]?.stop.aborted).toBe(true);
  });

  // The abandoned connection attempt ends some microtasks after its request.
  test.each(Array.from({ length: 24 }, (_, index) => index))(
    "sends a request that starts %i microtasks after the abort of another one",
    async (microtasks) => {
      const server = await listen(answering(http("200 OK", [], "paid")));
      const { client, lookups, looked } = handLookups();
      const url = `http://receiver.test:${server.port}/`;
      const abort = new AbortController();
      const refused = expect(client.fetch({ url, connection, signal: abort.signal })).rejects.toThrow(aborted);
      await looked(1);
      abort.abort();
      for (let passed = 0; passed < microtasks; passed++) await Promise.resolve();
      const sending = client.fetch({ url, connection });
      await refused;
      if (lookups[0]?.stop.aborted === true) await looked(2);
      for (const { answer } of lookups) answer(["127.0.0.1"]);
      expect((await sending).status).toBe(200);
      expect(server.received().match(/GET/g)).toHaveLength(1);
    },
  );

  test("a lookup continues when another request waits for it", async () => {
    const server = await listen(answering(http("200 OK", [], "paid")));
    const { client, lookups, looked } = handLookups();
    const url = `http://receiver.test:${server.port}/`;
    const abort = new AbortController();
    const refused = expect(client.fetch({ url, connection, signal: abort.signal })).rejects.toThrow(aborted);
    const sending = client.fetch({ url, connection });
    await looked(1);
    abort.abort();
    await refused;
    expect(lookups[0]?.stop.aborted).toBe(false);
    for (const { answer } of lookups) answer(["127.0.0.1"]);
    expect((await sending).status).toBe(200);
  });
});
