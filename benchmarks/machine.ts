import { fdatasyncSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { median } from "./closed-loop.ts";
import type { PostgresFacts } from "./postgres-server.ts";

/** The facts on which the figures depend beside the code. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly node: string;
  readonly sqlite: string;
  readonly loadAverage: number;
  /** Median time of writing and syncing 4 kB in the folder of the databases, in milliseconds. */
  readonly fsyncMs: number;
  readonly postgres?: PostgresFacts;
}

export async function describeMachine(dataFolder: string, postgres?: PostgresFacts): Promise<Machine> {
  return {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? "unknown",
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? "unknown",
    loadAverage: os.loadavg()[0] ?? NaN,
    fsyncMs: await measureFsyncMs(dataFolder),
    ...(postgres !== undefined && { postgres }),
  };
}

/** The median of many samples, in milliseconds. */
export async function measureFsyncMs(dataFolder: string): Promise<number> {
  const directory = await mkdtemp(path.join(dataFolder, "fsync-"));
  const file = await open(path.join(directory, "probe"), "w");
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  try {
    for (let n = 0; n < 200; n++) {
      await file.write(page);
      const begin = performance.now();
      // Synchronous, as in SQLite: the thread pool is not part of the disk.
      fdatasyncSync(file.fd);
      times.push(performance.now() - begin);
    }
  } finally {
    await file.close();
    await rm(directory, { recursive: true, force: true });
  }
  return median(times);
}
