import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashKey, QueryClient, type QueryKey } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { keysOfChange, listKey, oneKey, type ChangedKind } from "./query-keys.ts";

/** Whether a change leads to another read of a query. */
function concerns(change: { readonly kind: ChangedKind; readonly id?: string }, queryKey: QueryKey): boolean {
  const client = new QueryClient();
  client.setQueryData(queryKey, "read");
  return keysOfChange(change, "live").some((key) => client.getQueryCache().findAll({ queryKey: key }).length > 0);
}

test("a change concerns the thing, the lists of its kind and of its environment, and nothing else", () => {
  const change = { kind: "run", id: "run_1" } as const;
  expect(concerns(change, oneKey("run", "live", "run_1", "timeline"))).toBe(true);
  expect(concerns(change, listKey("run", "live", "pages"))).toBe(true);
  expect(concerns(change, oneKey("run", "live", "run_2", "timeline"))).toBe(false);
  expect(concerns(change, listKey("run", "sandbox", "pages"))).toBe(false);
  expect(concerns({ kind: "run" }, oneKey("run", "live", "run_2", "timeline"))).toBe(true);
  expect(concerns({ kind: "person" }, listKey("person", "workspace"))).toBe(true);
});

test.each<[ChangedKind, ...(readonly string[])]>([
  ["run", "summary", "procedures"],
  ["review", "summary", "procedures"],
  ["delivery", "summary", "webhooks", "webhook"],
  ["connection", "summary", "audit"],
  ["procedure", "summary", "audit", "procedures"],
  ["webhook", "summary", "audit", "webhooks"],
  ["key", "audit"],
  ["person", "audit"],
])("a change of a %s concerns what is made of it", (kind, ...concerned) => {
  const shown: Readonly<Record<string, QueryKey>> = {
    summary: ["summary", "live", "numbers"],
    audit: ["audit", "live", {}, "UTC"],
    procedures: listKey("procedure", "live", "pages", ""),
    webhooks: listKey("webhook", "live", "attention"),
    webhook: oneKey("webhook", "live", "y"),
  };
  const found = Object.keys(shown).filter((name) => concerns({ kind, id: "x" }, shown[name] ?? []));
  expect(found.toSorted()).toEqual(concerned.toSorted());
});

test("a thing with the id `list` is no list", () => {
  expect(hashKey(oneKey("procedure", "live", "list"))).not.toBe(hashKey(listKey("procedure", "live")));
});

test("each list of a kind has a name of its own, so that no two queries share an answer", () => {
  const source = join(import.meta.dirname, "..");
  const names = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|query-keys\.ts$/.test(name))
    .flatMap((name) => [
      ...readFileSync(join(source, name), "utf8").matchAll(/listKey\(\s*"(\w+)",[^,)]+,\s*"([^"]+)"/g),
    ])
    .map(([, kind, name]) => `${kind} ${name}`);
  expect(names.length).toBeGreaterThan(10);
  expect(names).toEqual([...new Set(names)]);
});
