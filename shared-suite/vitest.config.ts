import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Packages import each other from source, as in the repository's other suites. */
const conditions = ["@procedo/source", "module", "node"];

/** A separate project outside the repository's own, so that `pnpm verify` needs no documents. */
export const sharedFiles = ["shared-suite/**/*.test.ts"] as const;

export default defineConfig({
  root: join(import.meta.dirname, ".."),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: "shared",
    include: [...sharedFiles],
    allowOnly: false,
    // Ends a test that hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
