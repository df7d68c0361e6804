import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { openingErrorOf } from "../src/sqlite-error.ts";
import { temporaryDirectory } from "./temporary-files.ts";

/** A user that cannot enter a folder of root's. */
const nobody = 65_534;

async function expectRefused(path: string, words: string, code = "storage_unavailable"): Promise<void> {
  const refused = SqliteStorage.open({ path });
  await expect(refused).rejects.toMatchObject({ code });
  await expect(refused).rejects.toThrow(`"${path}" ${words}`);
}

/** Runs the rest of the test as a user without access to the folder and its files. */
function closeFolder(folder: string): void {
  chmodSync(folder, 0o555);
  onTestFinished(() => chmodSync(folder, 0o755));
  if (process.geteuid?.() !== 0) return;
  process.seteuid?.(nobody);
  onTestFinished(() => void process.seteuid?.(0));
}

it("a missing folder, and a folder in place of the file, are named", async () => {
  const folder = temporaryDirectory();
  await expectRefused(join(folder, "missing", "procedo.sqlite"), "cannot be opened for writing");
  mkdirSync(join(folder, "procedo.sqlite"));
  await expectRefused(join(folder, "procedo.sqlite"), "cannot be opened for writing");
});

it("a file that is not a database is named", async () => {
  const path = join(temporaryDirectory(), "procedo.sqlite");
  writeFileSync(path, "x".repeat(4_096));
  await expectRefused(path, "is not an SQLite database", "invalid_configuration");
});

it.each(["that has no database yet", "whose database may not be written"])(
  "a read-only folder %s is named",
  async (which) => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o755);
    const path = join(folder, "procedo.sqlite");
    if (which.startsWith("whose")) {
      await (await SqliteStorage.open({ path })).close();
      chmodSync(path, 0o444);
    }
    closeFolder(folder);
    await expectRefused(path, "cannot be opened for writing");
  },
);

it("a file system without shared memory is named", () => {
  const error = Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 10 | (20 << 8) });
  const opened = openingErrorOf("/mnt/share/procedo.sqlite", error);
  expect(opened).toMatchObject({ code: "storage_unavailable" });
  expect(opened.message).toMatch(/"\/mnt\/share\/procedo.sqlite".*local disk.*network file systems/);
});
