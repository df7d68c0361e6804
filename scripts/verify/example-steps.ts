import { join } from "node:path";
import { exampleFolder, exampleNames, isService, root } from "../workspace.ts";
import { runCommand } from "./command.ts";
import type { Step } from "./steps.ts";

const limitMs = 180_000;

/**
 * Runs each example's `main.ts` like a reader. Services are started by the examples that need them, and by their tests.
 */
export function exampleSteps(): readonly Step[] {
  const names = exampleNames().filter((name) => !isService(name));
  return names.map((name) => ({
    name: `example: ${name}`,
    run: async () => {
      const argv = [process.execPath, "--conditions=@procedo/source", join(root, `examples/${name}/src/main.ts`)];
      const result = await runCommand(argv, { cwd: exampleFolder(name), limitMs });
      if (result.ok) return result;
      const rule = `An example ends by itself within ${limitMs / 1000} s; a service has a "start" script in its package.json.\n`;
      return { ok: false, output: result.output + rule };
    },
  }));
}
