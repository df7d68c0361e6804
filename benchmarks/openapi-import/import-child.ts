/**
 * One import in a separate process without warm-up, as when a connection is saved; prints an {@link ImportSample}. With
 * `--expose-gc`.
 */
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import process from "node:process";

export interface ImportMeasurement {
  readonly subject: "procedo" | "readme";
  readonly file: string;
}

export interface ImportSample {
  readonly ms: number;
  /** Processor time of all threads, the figure that other work on the machine affects least. */
  readonly cpuMs: number;
  /** Growth of the process's peak memory, in MB. */
  readonly extraMb: number;
  readonly operations: number | undefined;
}

const asked = JSON.parse(process.argv[2] ?? "") as ImportMeasurement;

/** Modules are loaded before the clock starts, and the garbage of their loading is collected. */
const subjects: Record<ImportMeasurement["subject"], () => Promise<(text: string) => Promise<number | undefined>>> = {
  async procedo() {
    const { importDocument } = await import("@procedo/integrations/openapi");
    return (text) => {
      const imported = importDocument(text);
      return Promise.resolve(imported.ok ? imported.api.operations.length : 0);
    };
  },
  async readme() {
    const { dereference, validate } = await import("@readme/openapi-parser");
    const { parse } = await import("yaml");
    const read = (text: string) =>
      (text.startsWith("{") ? JSON.parse(text) : parse(text)) as Parameters<typeof dereference>[0];
    return async (text) => {
      await validate(read(text));
      await dereference(read(text));
      return undefined;
    };
  },
};

const run = await subjects[asked.subject]();
const text = readFileSync(asked.file, "utf8");
// Twice, because the collector finishes its concurrent work by then.
await globalThis.gc?.({ type: "major", execution: "async" });
await globalThis.gc?.({ type: "major", execution: "async" });
const peakBefore = process.resourceUsage().maxRSS;
const cpuBefore = process.cpuUsage();
const begin = performance.now();
const operations = await run(text);
const ms = performance.now() - begin;
const { user, system } = process.cpuUsage(cpuBefore);
const extraMb = (process.resourceUsage().maxRSS - peakBefore) / 1024;
const cpuMs = (user + system) / 1000;
const sample: ImportSample = { ms, cpuMs, extraMb, operations: asked.subject === "procedo" ? operations : undefined };
process.stdout.write(JSON.stringify(sample));
