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

test("concurrent callers for a name share one lookup, and the next caller starts another", async () => {
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

test("a lookup is stopped when the last caller leaves, and does not affect the next lookup", () => {
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

test("a failure reaches every waiting caller and is not cached", async () => {
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
