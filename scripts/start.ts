/** `pnpm start`: builds the packages and the dashboard, then serves `examples/vendor-payment` with the data in `.procedo`. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./workspace.ts";

console.log("Building …");
const turbo = join(root, "node_modules/.bin/turbo");
const filter = ["--filter=@procedo-examples/vendor-payment^..."];
const built = spawnSync(turbo, ["run", "build", ...filter, "--output-logs=errors-only"], {
  cwd: root,
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_PRINT_VERSION_DISABLED: "1" },
  encoding: "utf8",
});
if (built.status === 0) {
  // Imported into this process, so that signals reach the server directly.
  await import(pathToFileURL(join(root, "examples/vendor-payment/src/serve.ts")).href);
} else {
  console.error(`${built.stdout}${built.stderr}${built.error?.message ?? ""}`);
  process.exitCode = 1;
}
