import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../scripts/workspace.ts";
import { outsideAccess } from "./outside-access.ts";
import { createProgram } from "./program.ts";
import { isTest, sourceFiles } from "./source-files.ts";

const coreFiles = ["contract", "procedure", "storage", "engine"]
  .flatMap((name) => sourceFiles([`packages/${name}/src`]))
  .map(({ path }) => path)
  .filter((path) => !isTest(path) && !/^packages\/engine\/src\/(ports|egress)\/system-/.test(path));

/**
 * The guarded client is undici with its own connector: every connection that it opens goes through system-network.ts.
 */
const allowedIn = (path: string): ReadonlySet<string> =>
  new Set(path.startsWith("packages/engine/src/egress/") ? ["undici"] : []);

/** One line each: code that reaches outside, and code that only seems to. */
const offences = [
  "export const a = Date.now();",
  "export const b = new Date();",
  "export const c = Date();",
  "const clock = Date; export const d = clock.now();",
  "export const e = new clock();",
  "export const f = Math.random();",
  "setTimeout(() => undefined, 1);",
  "export const g = globalThis.fetch;",
  "export const h = performance.now();",
  "export const i = crypto.randomUUID();",
  "export const j = randomBytes(8);",
  'export const k = process.env["HOME"];',
  "export const l = AbortSignal.timeout(5);",
  "export const m = sleep(5);",
  "export const n = createServer();",
  "export const o = createHash('sha256').update(randomUUID());",
];
const innocent = [
  "export const p = new Date(5).getTime();",
  "export const q = (fetch: (url: string) => string) => fetch('x');",
  "export const r = (timers: { setTimeout(ms: number): void }) => timers.setTimeout(5);",
  "export const s = createHash('sha256').update('x').digest('hex');",
  "export const t: typeof process | typeof Date.now | undefined = undefined;",
  "export const u = new AbortController().signal.aborted;",
  "export const v = (server: Server) => server.listening;",
  "export const w = Math.floor(Date.parse('2030-01-01T00:00:00Z'));",
];
const imports = [
  'import { createHash, randomBytes, randomUUID } from "node:crypto";',
  'import { createServer, type Server } from "node:http";',
  'import { setTimeout as sleep } from "node:timers/promises";',
];
const probe = join(root, "packages/engine/src/outside-access-probe.ts");
const program = createProgram(
  coreFiles.map((path) => join(root, path)),
  new Map([[probe, [...imports, ...offences, ...innocent].join("\n")]]),
);
const probed = outsideAccess(program, probe).map((line) => Number(/:(\d+) /.exec(line)?.[1]));

test("the core reads no clock, randomness, timers, network or settings except through its ports", () => {
  expect(coreFiles.flatMap((path) => outsideAccess(program, join(root, path), allowedIn(path)))).toEqual([]);
});

describe("the scan reports", () => {
  test.each(offences.map((code, index) => [code, imports.length + index + 1] as const))("%s", (_code, line) => {
    expect(probed).toContain(line);
  });
});

describe("the scan does not report", () => {
  const first = imports.length + offences.length + 1;
  test.each(innocent.map((code, index) => [code, first + index] as const))("%s", (_code, line) => {
    expect(probed).not.toContain(line);
  });
});
