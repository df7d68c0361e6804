import { expect, test } from "vitest";
import { shareLookups } from "./shared-lookups.ts";

function lookups() {
  const begun: { readonly stop: AbortSignal; readonly end: (addresses: readonly string[]) => void }[] = [];
  const resolve = shareLookups((_hostname, stop) => {
    const { promise, resolve: end } = Promise.withResolvers<readonly string[]>();
    begun.push({ stop, end });
    return promise;
  });
  return { begun, resolve };
}

test("all who ask for a name at the same time have one lookup, and the next one has another", async () => {
  const { begun, resolve } = lookups();
  const { signal } = new AbortController();
  const [first, second] = [resolve("a.test", signal), resolve("a.test", signal)];
  void resolve("b.test", signal);
  expect(begun).toHaveLength(2);
  begun[0]?.end(["192.0.2.7"]);
  expect([await first, await second]).toEqual([["192.0.2.7"], ["192.0.2.7"]]);
  void resolve("a.test", signal);
  expect(begun).toHaveLength(3);
});

test("a lookup is stopped when the last one who waits leaves, and does not stand in the way of the next one", () => {
  const { begun, resolve } = lookups();
  const [one, other] = [new AbortController(), new AbortController()];
  void resolve("a.test", one.signal);
  void resolve("a.test", other.signal);
  one.abort();
  expect(begun[0]?.stop.aborted).toBe(false);
  other.abort();
  expect(begun[0]?.stop.aborted).toBe(true);
  void resolve("a.test", new AbortController().signal);
  expect(begun).toHaveLength(2);
  void resolve("c.test", AbortSignal.abort());
  expect(begun[2]?.stop.aborted).toBe(true);
});

test("a failure is everyone's who waits, and is not kept", async () => {
  let asked = 0;
  const resolve = shareLookups(() => Promise.reject(new Error(`failure ${++asked}`)));
  const { signal } = new AbortController();
  const both = await Promise.allSettled([resolve("a.test", signal), resolve("a.test", signal)]);
  expect(both.map((one) => (one.status === "rejected" ? (one.reason as Error).message : ""))).toEqual([
    "failure 1",
    "failure 1",
  ]);
  await expect(resolve("a.test", signal)).rejects.toThrow("failure 2");
});
