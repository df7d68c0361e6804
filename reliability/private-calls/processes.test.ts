import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { messageOf, startProcess, type Killable } from "./processes.ts";

async function service(more: { readonly databasePath?: string } = {}): Promise<Killable> {
  const folder = await mkdtemp(join(tmpdir(), "procedo-processes-"));
  const paths = { databasePath: join(folder, "procedo.sqlite"), keyPath: join(folder, "procedo.key") };
  const started = startProcess("service-process.ts", { ...paths, sinceMs: Date.now(), isNew: true, ...more });
  onTestFinished(async () => {
    await started.kill();
    await rm(folder, { recursive: true, force: true });
  });
  return started;
}

test("a process that cannot start reports the reason", async () => {
  const broken = await service({ databasePath: "/nowhere/procedo.sqlite" });
  await expect(messageOf(broken)).rejects.toThrow(
    /service-process\.ts.* died by itself, by exit code 1: [^]*unable to open/,
  );
  expect(broken.diedByItself).toContain("exit code 1");
});

test("a process that dies without its parent's kill has died by itself", async () => {
  const [own, other] = await Promise.all([service(), service()]);
  await Promise.all([messageOf(own), messageOf(other)]);
  await own.kill();
  expect(own.diedByItself).toBeUndefined();
  const closed = new Promise((resolve) => other.child.once("close", resolve));
  other.child.kill("SIGABRT");
  await closed;
  expect(other.diedByItself).toContain("by SIGABRT");
});
