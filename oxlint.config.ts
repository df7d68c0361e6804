import { defineConfig } from "oxlint";

const tests = [
  "**/*.{test,test-d,fixture}.ts",
  "packages/*/test/**",
  "examples/*/test/**",
  "repo-checks/**",
  "reliability/**",
  "shared-suite/**",
];

const onlyEverywhere = "contract and procedure run in browsers too.";
const browserGlobals = ["Buffer", "global", "require"].map((name) => ({ name, message: onlyEverywhere }));

const noHostCode = "A procedure's expressions are interpreted; host code is never made from text.";
const hostCodeGlobals = ["eval", "Function"].map((name) => ({ name, message: noHostCode }));

/** Rules about faults, not about style. */
const everywhere = [
  "eqeqeq",
  "no-eval",
  "no-new-func",
  "no-var",
  "prefer-const",
  "prefer-rest-params",
  "prefer-spread",
  "no-array-constructor",
  "no-unused-expressions",
  "typescript/await-thenable",
  "typescript/ban-ts-comment",
  "typescript/consistent-type-imports",
  "typescript/no-array-delete",
  "typescript/no-base-to-string",
  "typescript/no-duplicate-enum-values",
  "typescript/no-duplicate-type-constituents",
  "typescript/no-empty-object-type",
  "typescript/no-explicit-any",
  "typescript/no-extra-non-null-assertion",
  "typescript/no-floating-promises",
  "typescript/no-for-in-array",
  "typescript/no-implied-eval",
  "typescript/no-misused-new",
  "typescript/no-misused-promises",
  "typescript/no-namespace",
  "typescript/no-non-null-asserted-optional-chain",
  "typescript/no-redundant-type-constituents",
  "typescript/no-require-imports",
  "typescript/no-this-alias",
  "typescript/no-unnecessary-type-assertion",
  "typescript/no-unnecessary-type-constraint",
  "typescript/no-unsafe-argument",
  "typescript/no-unsafe-assignment",
  "typescript/no-unsafe-call",
  "typescript/no-unsafe-declaration-merging",
  "typescript/no-unsafe-enum-comparison",
  "typescript/no-unsafe-function-type",
  "typescript/no-unsafe-member-access",
  "typescript/no-unsafe-return",
  "typescript/no-unsafe-unary-minus",
  "typescript/no-wrapper-object-types",
  "typescript/only-throw-error",
  "typescript/prefer-as-const",
  "typescript/prefer-namespace-keyword",
  "typescript/prefer-promise-reject-errors",
  "typescript/restrict-plus-operands",
  "typescript/restrict-template-expressions",
  "typescript/triple-slash-reference",
  "typescript/unbound-method",
];

export default defineConfig({
  ignorePatterns: [
    "**/dist/",
    "**/node_modules/",
    "reports/",
    "**/.turbo/",
    ".vitest/",
    "packages/dashboard/src/api/schema.d.ts",
  ],
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  plugins: ["typescript", "react"],
  categories: { correctness: "off" },
  overrides: [
    {
      files: ["**/*.{ts,tsx}"],
      rules: {
        ...Object.fromEntries(everywhere.map((rule) => [rule, "error" as const])),
        "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
        "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      },
    },
    {
      // What a module offers is stated, not inferred. Schemas are the exception: their types are made by zod.
      files: ["packages/*/src/**/*.ts"],
      excludeFiles: [...tests, "packages/dashboard/src/*/**", "packages/dashboard/src/!(site).ts"],
      rules: { "typescript/explicit-module-boundary-types": "error" },
    },
    {
      files: ["packages/dashboard/src/**/*.{ts,tsx}"],
      rules: {
        "react/rules-of-hooks": "error",
        "react/exhaustive-deps": "error",
        "react/static-components": "error",
        "react/use-memo": "error",
        "react/preserve-manual-memoization": "error",
        "react/immutability": "error",
        "react/globals": "error",
        "react/refs": "error",
        "react/set-state-in-effect": "error",
        "react/error-boundaries": "error",
        "react/purity": "error",
        "react/set-state-in-render": "error",
        "react/unsupported-syntax": "error",
        "typescript/only-throw-error": [
          "error",
          { allow: [{ from: "package", package: "@tanstack/router-core", name: ["Redirect", "NotFoundError"] }] },
        ],
      },
    },
    {
      files: ["packages/{contract,procedure}/src/**/*.ts"],
      excludeFiles: tests,
      rules: {
        "no-restricted-globals": ["error", ...browserGlobals, ...hostCodeGlobals],
        "no-restricted-imports": ["error", { patterns: [{ regex: "^(node:|vm$)", message: onlyEverywhere }] }],
      },
    },
    {
      files: tests,
      rules: {
        // Answers of fakes and matchers such as expect.any() are `any` on purpose; the assertions check them.
        "typescript/no-unsafe-argument": "off",
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-return": "off",
        "typescript/unbound-method": "off",
      },
    },
  ],
});
