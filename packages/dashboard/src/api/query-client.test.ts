import { MutationObserver, type QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createQueryClient, sameOrAfter } from "./query-client.ts";

test("an equal answer is the one that is shown already", () => {
  const before = { a: [1, { b: "2" }] };
  expect(sameOrAfter(before, { a: [1, { b: "2" }] })).toBe(before);
  expect(sameOrAfter(undefined, before)).toBe(before);
});

test("a changed answer keeps each of its members, also __proto__", async () => {
  const client: QueryClient = createQueryClient({ onSignedOut: () => {} });
  const read = (text: string) =>
    client.fetchQuery({ queryKey: ["a"], queryFn: () => JSON.parse(text) as unknown, staleTime: 0 });
  await read('{"arguments":{"__proto__":{"payee":"x"},"amount":1}}');
  expect(JSON.stringify(await read('{"arguments":{"__proto__":{"payee":"x"},"amount":2}}'))).toBe(
    '{"arguments":{"__proto__":{"payee":"x"},"amount":2}}',
  );
});

test("what was sent and answered is forgotten with the form", async () => {
  const client: QueryClient = createQueryClient({ onSignedOut: () => {} });
  const form = new MutationObserver(client, { mutationFn: (password: string) => Promise.resolve(`of ${password}`) });
  const leave = form.subscribe(() => {});
  await form.mutate("secret");
  expect(client.getMutationCache().getAll()).toHaveLength(1);
  leave();
  await expect.poll(() => client.getMutationCache().getAll()).toEqual([]);
});
