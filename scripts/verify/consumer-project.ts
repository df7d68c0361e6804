import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publishedPackages, root } from "../workspace.ts";
import { pnpmCommand, runCommand, tool } from "./command.ts";
import { tarballOf } from "./packaging-steps.ts";
import type { StepOutcome } from "./steps.ts";

/** A project outside the workspace that installs the tarballs like a user of the packages. */
export interface ConsumerProject {
  /** Direct dependencies of the project; transitive dependencies are installed with them. */
  readonly packages: readonly string[];
  /** Other dependencies: the peers of the packages. */
  readonly peers?: Readonly<Record<string, string>>;
  /** Leaves the declarations of dependencies unchecked, where other libraries' do not compile. @defaultValue false */
  readonly skipLibCheck?: boolean;
  /** Source files by path from the project's root. */
  readonly files: Readonly<Record<string, string>>;
  /** The source file to run. */
  readonly main: string;
  /** A short note about the installed project, for the step's line. */
  readonly describe?: (folder: string) => string;
}

/** Installs the project in a temporary folder, type-checks it with its dependencies' declarations, and runs it. */
export async function checkConsumer(project: ConsumerProject): Promise<StepOutcome> {
  const missing = publishedPackages().filter((published) => !existsSync(tarballOf(published)));
  if (missing.length > 0) {
    return { ok: false, output: `No tarball exists for ${missing.map(({ manifest }) => manifest.name).join(", ")}.` };
  }
  const folder = mkdtempSync(join(tmpdir(), "procedo-consumer-"));
  try {
    writeProject(folder, project);
    const commands = [
      [...pnpmCommand(), "install", "--prefer-offline", "--no-frozen-lockfile", "--ignore-scripts"],
      [tool("tsc"), "-p", "tsconfig.json"],
      [process.execPath, project.main],
    ];
    for (const argv of commands) {
      const result = await runCommand(argv, { cwd: folder });
      if (!result.ok) return { ok: false, output: `$ ${argv.join(" ")}\n${result.output}` };
    }
    const note = project.describe?.(folder);
    return { ok: true, output: "", ...(note === undefined ? {} : { note }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeProject(folder: string, { packages, peers, files, skipLibCheck = false }: ConsumerProject): void {
  const tarballs = Object.fromEntries(
    publishedPackages().map((published) => [published.manifest.name, `file:${tarballOf(published)}`]),
  );
  const nodeTypes = readFileSync(join(root, "node_modules/@types/node/package.json"), "utf8");
  const manifest = {
    name: "procedo-consumer",
    private: true,
    type: "module",
    dependencies: Object.fromEntries(packages.map((name) => [name, tarballs[name]])),
    devDependencies: { ...peers, "@types/node": (JSON.parse(nodeTypes) as { version: string }).version },
  };
  const compilerOptions = {
    module: "nodenext",
    target: "es2024",
    lib: ["es2024"],
    types: ["node"],
    strict: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck,
  };
  const written: Readonly<Record<string, string>> = {
    "package.json": JSON.stringify(manifest),
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
    // The tarballs depend on unpublished versions of each other.
    "pnpm-workspace.yaml": JSON.stringify({ packages: ["."], overrides: tarballs }),
    ...files,
  };
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
