import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PEERS } from "./peers.ts";

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string }>>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(path.join(import.meta.dirname, file), "utf8"));

test("the lockfile pins all installed packages, and contains no address of a registry", () => {
  const { packages } = read("package-lock.json") as Lockfile;
  const installed = Object.entries(packages).filter(([name]) => name !== "");
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});

test("every peer is pinned to one exact version", () => {
  const { dependencies } = read("package.json") as { readonly dependencies: Readonly<Record<string, string>> };
  expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("no two systems share a name", () => {
  expect(new Set(PEERS.map(({ name }) => name)).size).toBe(PEERS.length);
});
