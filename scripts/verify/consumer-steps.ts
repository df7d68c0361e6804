import { existsSync, globSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entryPoints, publishedPackages, root } from "../workspace.ts";
import { checkConsumer } from "./consumer-project.ts";
import type { Step } from "./steps.ts";

/** Projects that use the packages as they would be published. */
export function consumerSteps(): readonly Step[] {
  const embedding = join(root, "examples/embed-engine/src/main.ts");
  return existsSync(embedding) ? [everyEntryPoint, embeddingStep(embedding)] : [everyEntryPoint];
}

/** Every entry point of every package can be imported and type-checks. */
const everyEntryPoint: Step = {
  name: "consumer: every entry point",
  needs: "build",
  run: () => {
    const published = publishedPackages();
    const specifiers = published.flatMap((one) => entryPoints(one).map(({ specifier }) => specifier));
    return checkConsumer({
      packages: published.map(({ manifest }) => manifest.name),
      peers: Object.fromEntries(published.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}))),
      files: { "src/imports.ts": importsOf(specifiers) },
      main: "src/imports.ts",
    });
  },
};

/** The README's first example runs with exactly the two packages that the README installs. */
function embeddingStep(example: string): Step {
  return {
    name: "consumer: the README's example",
    needs: "build",
    run: () =>
      checkConsumer({
        packages: ["@procedo/engine", "@procedo/storage-sqlite"],
        files: { "src/main.ts": readFileSync(example, "utf8") },
        main: "src/main.ts",
        describe: installedSize,
      }),
  };
}

function importsOf(specifiers: readonly string[]): string {
  const imports = specifiers.map((specifier, index) => `import * as entry${index} from "${specifier}";`);
  const table = specifiers.map((specifier, index) => `  "${specifier}": Object.keys(entry${index}),`);
  return `${imports.join("\n")}

const exported: Record<string, readonly string[]> = {
${table.join("\n")}
};
for (const [specifier, names] of Object.entries(exported)) {
  if (names.length === 0) throw new Error(\`\${specifier} exports no value.\`);
}
`;
}

/** Counts what pnpm installed, without the declarations of Node that only the type check needs. */
function installedSize(folder: string): string {
  const store = join(folder, "node_modules/.pnpm");
  const installed = globSync("*/node_modules/{*,@*/*}/package.json", { cwd: store })
    .filter((path) => !/\/(@types\/node|undici-types)\//.test(path))
    .map((path) => join(store, path, ".."))
    .filter((path) => !lstatSync(path).isSymbolicLink());
  const files = installed.flatMap((path) => globSync("**/*", { cwd: path }).map((file) => lstatSync(join(path, file))));
  const bytes = files.filter((stat) => stat.isFile()).reduce((sum, { size }) => sum + size, 0);
  return `${installed.length} packages installed, ${(bytes / 1e6).toFixed(1)} MB`;
}
