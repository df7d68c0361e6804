import { defineConfig } from "vitest/config";

/** Packages and examples import each other from source, so that no test waits for a build. */
const conditions = ["@procedo/source", "module", "node"];

/** Where each project's tests live. */
export const projectFiles = {
  unit: ["packages/*/src/**/*.test.ts"],
  integration: ["{packages,testing}/*/test/**/*.test.ts"],
  house: ["{house,scripts}/**/*.test.ts"],
  examples: ["examples/*/{src,test}/**/*.test.ts"],
  proof: ["{proof,benchmarks}/**/*.test.ts"],
  types: ["{packages,examples}/*/{src,test}/**/*.test-d.ts"],
} as const;

/** The projects that `vitest run --project NAME` selects, in the order in which `pnpm verify` runs them. */
export const projectNames = Object.keys(projectFiles) as readonly (keyof typeof projectFiles)[];

/** Ends a test that hangs. No test is judged by its speed, which on a busy machine says nothing. */
const hangMs = 60_000;

const exclude = ["**/node_modules/**", "**/dist/**"];

export default defineConfig({
  test: {
    allowOnly: false,
    projects: projectNames.map((name) => ({
      resolve: { conditions },
      ssr: { resolve: { conditions } },
      test:
        name === "types"
          ? {
              name,
              include: [],
              typecheck: {
                enabled: true,
                only: true,
                ignoreSourceErrors: true,
                include: [...projectFiles.types],
                exclude,
                tsconfig: "tsconfig.json",
              },
            }
          : {
              name,
              include: [...projectFiles[name]],
              exclude,
              allowOnly: false,
              testTimeout: hangMs,
              hookTimeout: hangMs,
            },
    })),
  },
});
