import { existsSync, globSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFiles, entryPoints, publishedPackages, root } from "../workspace.ts";
import { checkConsumer } from "./consumer-project.ts";
import { embeddingPage } from "./embedding-step.ts";
import { integrationPage } from "./integration-page-step.ts";
import type { Step } from "./steps.ts";

/** Projects that use the packages in their publishable form. */
export function consumerSteps(): readonly Step[] {
  const embedding = join(root, "examples/embed-engine/src/main.ts");
  const steps = [everyEntryPoint, largeDocument, browserBundle, embeddingPage, integrationPage];
  return existsSync(embedding) ? [...steps, embeddingStep(embedding)] : steps;
}

/** Imports and type-checks every entry point of every package. */
const everyEntryPoint: Step = {
  name: "consumer: every entry point",
  needs: "build",
  run: () => {
    const published = publishedPackages();
    const specifiers = published.flatMap((one) => entryPoints(one).map(({ specifier }) => specifier));
    return checkConsumer({
      packages: published.map(({ manifest }) => manifest.name),
      peers: Object.fromEntries(published.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}))),
      files: { "src/imports.ts": importsOf(specifiers, published.flatMap(dataFiles)) },
      main: "src/imports.ts",
    });
  },
};

/**
 * Checks that plain JavaScript with the installed packages reads a large document in a worker thread, and that a
 * bundle, which lacks the worker's file, reads the same document without a thread.
 */
const largeDocument: Step = {
  name: "consumer: a large document in plain JavaScript",
  needs: "build",
  run: () =>
    checkConsumer({
      packages: ["@procedo/engine", "@procedo/integrations", "@procedo/storage"],
      peers: { esbuild: versionOf("esbuild") },
      files: { "src/connect.js": connect, "src/main.js": mainOfLargeDocument },
      main: "src/main.js",
    }),
};

const connect = `import { createEngine } from "@procedo/engine";
import { customApi } from "@procedo/integrations";
import { createMemoryStorage } from "@procedo/storage";

const paths = Object.fromEntries(
  Array.from({ length: 400 }, (_, index) => [
    \`/resources/\${index}\`,
    { get: { operationId: \`read\${index}\`, summary: "Reads it.", responses: { 200: { description: "It." } } } },
  ]),
);
const info = { title: "Large", version: "1" };
const text = JSON.stringify({ openapi: "3.0.3", info, servers: [{ url: "http://127.0.0.1:8080" }], paths });

/** Creates a connection, and returns its actions and the threads started in the meantime. */
export async function connect() {
  /** @type {string[]} */
  const threads = [];
  const started = (/** @type {import("node:worker_threads").Worker} */ worker) => {
    worker.once("message", () => threads.push("answered"));
  };
  process.on("worker", started);
  const engine = createEngine({
    storage: createMemoryStorage({ now: Date.now }),
    integrations: [customApi()],
    masterKey: new Uint8Array(32).fill(7),
    egress: { allowNetworks: ["127.0.0.0/8"] },
  });
  const by = { person: "ana" };
  const settings = { spec: { text }, authentication: { method: "none" } };
  const { connectionId } = await engine.connections.create({
    name: "large",
    integration: "custom_api",
    environment: "sandbox",
    settings,
    by,
  });
  const page = await engine.connections.actions({ environment: "sandbox", connectionId, search: "399", limit: 10 });
  await engine.stop();
  process.off("worker", started);
  return { actions: page.items.map(({ name }) => name), threads };
}
`;

const mainOfLargeDocument = `import { deepStrictEqual } from "node:assert";
import { execFileSync } from "node:child_process";
import { build } from "esbuild";
import { connect } from "./connect.js";

deepStrictEqual(await connect(), { actions: ["read399"], threads: ["answered"] });

// The flags of a command-line program without a script file must not be passed to worker threads.
const code = 'import("./src/connect.js").then(async ({ connect }) => console.log(JSON.stringify(await connect())))';
const evaluated = execFileSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
deepStrictEqual(JSON.parse(evaluated), { actions: ["read399"], threads: ["answered"] });

const banner = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
for (const [format, file, js] of /** @type {const} */ ([["esm", "connect.mjs", banner], ["cjs", "connect.cjs", ""]])) {
  const outfile = "bundled/" + file;
  await build({ entryPoints: ["src/connect.js"], outfile, bundle: true, platform: "node", format, banner: { js }, logLevel: "error" });
  const bundle = await import(new URL("../" + outfile, import.meta.url).href);
  deepStrictEqual(await bundle.connect(), { actions: ["read399"], threads: [] });
}
`;

/** Bundles the browser packages, and checks that the bundle loads and works without Node. */
const browserBundle: Step = {
  name: "consumer: a browser bundle",
  needs: "build",
  run: () =>
    checkConsumer({
      packages: ["@procedo/client", "@procedo/webhooks", "@procedo/contract", "@procedo/procedure"],
      peers: { esbuild: versionOf("esbuild") },
      files: { "src/page.ts": page, "src/bundle.ts": bundle },
      main: "src/bundle.ts",
    }),
};

const page = `import { createClient } from "@procedo/client";
import { environmentSchema } from "@procedo/contract";
import { compileProcedure, describeChanges, sentenceOf } from "@procedo/procedure";
import { signWebhook as signHere } from "@procedo/webhooks";
import { isValidSignature, signWebhook } from "@procedo/webhooks/web";

const secret = "whsec_of-the-page";
const document = { schemaVersion: 1 as const, procedureId: "a", name: "A", input: {}, nodes: [], edges: [] };

export async function work(): Promise<readonly unknown[]> {
  const client = createClient({ apiKey: "rsk_sandbox_of-the-page", runnerUrl: "https://procedo.example" });
  const signature = await signWebhook({ body: "{}", secret });
  return [
    client.environment,
    environmentSchema.parse("live"),
    compileProcedure({}, { model: false, connectionMissing: "warning", action: () => ({ missing: "connection", known: [] }) }).ok,
    await isValidSignature({ body: "{}", signature, secret }),
    typeof signHere,
    ...describeChanges(document, { ...document, name: "B" }).map(sentenceOf),
  ];
}
`;

const bundle = `import { deepStrictEqual } from "node:assert";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: ["src/page.ts"],
  bundle: true,
  platform: "browser",
  format: "iife",
  globalName: "page",
  write: false,
});
const web = {
  AbortController, AbortSignal, Headers, Request, Response, TextDecoder, TextEncoder, URL, URLSearchParams,
  ReadableStream, Uint8Array, ArrayBuffer, atob, btoa, clearTimeout, crypto, fetch, performance, queueMicrotask, setTimeout,
};
const work = runInNewContext(\`\${outputFiles[0]?.text ?? ""}; page.work\`, web) as () => Promise<readonly unknown[]>;
deepStrictEqual([...(await work())], ["sandbox", "live", false, true, "function", 'Name: changed from "A" to "B".']);
`;

/** The version of a package in the repository itself. */
function versionOf(name: string): string {
  const manifest = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Runs the README's first example with exactly the two packages that the README installs. */
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

function importsOf(specifiers: readonly string[], files: readonly string[]): string {
  const imports = specifiers.map((specifier, index) => `import * as entry${index} from "${specifier}";`);
  const data = files.map((file, index) => `import data${index} from "${file}" with { type: "json" };`);
  const table = specifiers.map((specifier, index) => `  "${specifier}": Object.keys(entry${index}),`);
  return `${[...imports, ...data].join("\n")}

const schemas: readonly { readonly $schema: string }[] = [${files.map((_file, index) => `data${index}`).join(", ")}];
for (const { $schema } of schemas) new URL($schema);
const exported: Record<string, readonly string[]> = {
${table.join("\n")}
};
for (const [specifier, names] of Object.entries(exported)) {
  if (names.length === 0) throw new Error(\`\${specifier} exports no value.\`);
}
`;
}

/** Measures the installed packages, without Node's type declarations, which only the type check needs. */
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
