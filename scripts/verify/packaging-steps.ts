import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { WorkspacePackage } from "../workspace.ts";
import { publishedPackages, root } from "../workspace.ts";
import { pnpmCommand, runCommand, tool } from "./command.ts";
import type { Step, StepOutcome } from "./steps.ts";

const tarballFolder = join(root, "reports/tarballs");

/** Path of a package's tarball after its packaging step. */
export function tarballOf({ manifest }: WorkspacePackage): string {
  return join(tarballFolder, `${manifest.name.replace("@", "").replace("/", "-")}.tgz`);
}

/** Packs every published package, and checks the tarball with publint and attw. */
export function packagingSteps(): readonly Step[] {
  rmSync(tarballFolder, { recursive: true, force: true });
  mkdirSync(tarballFolder, { recursive: true });
  return publishedPackages().map((published) => ({
    name: `package: ${published.manifest.name}`,
    needs: "build",
    run: () => checkPackage(published),
  }));
}

async function checkPackage(published: WorkspacePackage): Promise<StepOutcome> {
  const tarball = tarballOf(published);
  const packed = await runCommand([...pnpmCommand(), "pack", "--out", tarball], { cwd: published.folder });
  if (!packed.ok) return packed;
  const verdicts = await Promise.all([
    runCommand([tool("publint"), "run", tarball, "--strict"]),
    runCommand([tool("attw"), tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"]),
  ]);
  return { ok: verdicts.every(({ ok }) => ok), output: verdicts.map(({ output }) => output).join("\n") };
}
