/** `pnpm example NAME [args]`: runs `examples/NAME/src/main.ts` from source, in the folder `.procedo/examples/NAME`. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { exampleFolder, exampleNames, root } from "./workspace.ts";

const [name, ...args] = process.argv.slice(2);
const names = exampleNames();

if (name === undefined || !names.includes(name)) {
  const reason = name === undefined ? "No example was named." : `There is no example "${name}".`;
  console.error(`${reason} Choose one of:\n${names.map((it) => `  ${it}`).join("\n")}`);
  process.exitCode = 1;
} else {
  const main = join(root, "examples", name, "src/main.ts");
  const { status, error } = spawnSync(process.execPath, ["--conditions=@procedo/source", main, ...args], {
    cwd: exampleFolder(name),
    stdio: "inherit",
  });
  if (error !== undefined) console.error(`The example "${name}" did not start: ${error.message}`);
  process.exitCode = status ?? 1;
}
