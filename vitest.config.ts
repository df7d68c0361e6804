import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Packages and examples import each other from source, so that no test waits for a build. */
const conditions = ["@procedo/source", "module", "node"];

/** Where each project's tests live. */
export const projectFiles = {
  unit: ["packages/*/src/**/*.test.ts"],
  integration: ["packages/*/test/**/*.test.ts", "testing/!(dashboard)/test/**/*.test.ts"],
  dashboard: ["testing/dashboard/test/**/*.test.ts"],
  "repo-checks": ["{repo-checks,scripts}/**/*.test.ts"],
  examples: ["examples/*/{src,test}/**/*.test.ts"],
  reliability: ["{reliability,benchmarks}/**/*.test.ts"],
  types: ["{packages,examples}/*/{src,test}/**/*.test-d.ts"],
} as const;

/** The projects that `vitest run --project NAME` selects, in the order in which `pnpm verify` runs them. */
export const projectNames = Object.keys(projectFiles) as readonly (keyof typeof projectFiles)[];

/** Ends a test that hangs. No test is judged by its speed, which on a busy machine says nothing. */
const hangMs = 180_000;

const exclude = ["**/node_modules/**", "**/dist/**"];

export default defineConfig({
  test: {
    allowOnly: false,
    // One more than there are cores: many tests wait for timers and for processes that they started.
    maxWorkers: availableParallelism() + 1,
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
              // Loading the sources again for each file took most of the time. A test leaves its process as it found it.
              isolate: false,
              ...(name === "dashboard" && { globalSetup: "testing/dashboard/global-setup.ts" }),
              testTimeout: hangMs,
              // A poll ends with its test, not after the second that is the default.
              expect: { poll: { timeout: hangMs / 2 } },
              hookTimeout: hangMs,
            },
    })),
  },
});
