#!/usr/bin/env node
import { tooOldNode } from "./supported-node.ts";

/** The command with Custom API and no other integration: a team that has some makes its own command with `runCommand`. */
const problem = tooOldNode("procedo", process.versions.node);
if (problem === undefined) {
  // Only now: an old Node fails at what the command imports.
  const { runCommand } = await import("./command/run-command.ts");
  process.exitCode = await runCommand({ argv: process.argv.slice(2), env: process.env });
} else {
  console.error(problem);
  process.exitCode = 1;
}
