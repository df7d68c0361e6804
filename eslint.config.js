import { defineConfig } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** The pure and the durable core: whatever it needs from outside arrives through a port, so that a run can be replayed and simulated. */
const core = ["packages/{contract,procedure,storage,engine}/src/**/*.ts"];
/** The system's own implementations of the ports, and tests. */
const outsideTheCore = ["packages/engine/src/{ports,egress}/system-*.ts", "**/*.{test,test-d,fixture}.ts"];
const tests = [
  "**/*.{test,test-d,fixture}.ts",
  "packages/*/test/**",
  "examples/*/test/**",
  "repo-checks/**",
  "reliability/**",
  "shared-suite/**",
];

const through = (port) => `The core takes ${port} through a port (packages/engine/src/ports), never from the process.`;
const named = (names, port) => names.map((name) => ({ name, message: through(port) }));
const properties = (object, names, port) => names.map((property) => ({ object, property, message: through(port) }));

const coreGlobals = [
  ...named(["setTimeout", "setInterval", "setImmediate"], "timers"),
  ...named(["fetch", "XMLHttpRequest", "WebSocket", "EventSource"], "the network"),
  ...named(["performance"], "the clock"),
  ...named(["process"], "settings"),
];
const coreProperties = [
  ...properties("Date", ["now"], "the clock"),
  ...properties("Math", ["random"], "randomness"),
  ...properties("crypto", ["randomUUID", "getRandomValues"], "randomness"),
  ...properties("AbortSignal", ["timeout"], "timers"),
  ...["setTimeout", "setInterval", "setImmediate", "fetch", "performance", "process", "crypto", "Date", "Math"].map(
    (property) => ({ object: "globalThis", property, message: through("what it needs") }),
  ),
];
const coreSyntax = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: through("the clock") },
  { selector: "CallExpression[callee.name='Date']", message: through("the clock") },
];
const coreImports = [
  ...named(["node:timers", "node:timers/promises"], "timers"),
  ...named(
    ["node:http", "node:https", "node:http2", "node:net", "node:tls", "node:dns", "node:dns/promises", "undici"],
    "the network",
  ),
  ...named(["node:perf_hooks"], "the clock"),
  ...named(["node:process", "node:os"], "settings"),
  {
    name: "node:crypto",
    importNames: [
      "randomUUID",
      "randomUUIDv7",
      "randomBytes",
      "randomInt",
      "randomFill",
      "randomFillSync",
      "getRandomValues",
      "webcrypto",
      "default",
    ],
    message: through("randomness"),
  },
];

const onlyEverywhere = "contract and procedure run in browsers too.";
const browserGlobals = ["Buffer", "global", "require"].map((name) => ({ name, message: onlyEverywhere }));

const noHostCode = "A procedure's expressions are interpreted; host code is never made from text.";
const hostCodeGlobals = ["eval", "Function"].map((name) => ({ name, message: noHostCode }));

const allowTypes = (path) => ({ ...path, allowTypeImports: true });

export default defineConfig([
  {
    ignores: [
      "**/dist/",
      "**/node_modules/",
      "reports/",
      "**/.turbo/",
      ".vitest/",
      "packages/dashboard/src/api/schema.d.ts",
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommendedTypeChecked],
    // The programs of `pnpm types`: linting everything takes half the time of a program per package.
    languageOptions: {
      parserOptions: {
        project: ["tsconfig.json", "packages/dashboard/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-new-func": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      // A port's method is async by its signature, also where one adapter answers at once.
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    // What a module offers is stated, not inferred. Schemas are the exception: their types are made by zod.
    files: ["packages/*/src/**/*.ts"],
    ignores: [...tests, "packages/dashboard/src/!(site.ts)/**"],
    rules: { "@typescript-eslint/explicit-module-boundary-types": "error" },
  },
  {
    files: ["packages/dashboard/src/**/*.{ts,tsx}"],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      // The compiler of React, which this rule prepares for, is not used.
      "react-hooks/incompatible-library": "off",
      "@typescript-eslint/only-throw-error": [
        "error",
        { allow: [{ from: "package", package: "@tanstack/router-core", name: ["Redirect", "NotFoundError"] }] },
      ],
    },
  },
  {
    files: core,
    ignores: outsideTheCore,
    rules: {
      "no-restricted-globals": ["error", ...coreGlobals],
      "no-restricted-properties": ["error", ...coreProperties],
      "no-restricted-syntax": ["error", ...coreSyntax],
      "@typescript-eslint/no-restricted-imports": ["error", { paths: coreImports.map(allowTypes) }],
    },
  },
  {
    // The guarded client is undici with a connector of our own: every connection that it opens goes through system-network.ts.
    files: ["packages/engine/src/egress/**/*.ts"],
    ignores: outsideTheCore,
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        { paths: coreImports.filter(({ name }) => name !== "undici").map(allowTypes) },
      ],
    },
  },
  {
    files: ["packages/{contract,procedure}/src/**/*.ts"],
    ignores: outsideTheCore,
    rules: {
      "no-implied-eval": "error",
      "no-with": "error",
      "no-restricted-globals": ["error", ...coreGlobals, ...browserGlobals, ...hostCodeGlobals],
      "@typescript-eslint/no-restricted-imports": [
        "error",
        { patterns: [{ regex: "^(node:|vm$)", message: onlyEverywhere }] },
      ],
    },
  },
  {
    files: tests,
    rules: {
      // Answers of fakes and matchers such as expect.any() are `any` on purpose; the assertions check them.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/unbound-method": "off",
    },
  },
]);
