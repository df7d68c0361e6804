#!/usr/bin/env node
import { tooOldNode } from "./supported-node.ts";

/**
 * The command with Custom API as its only integration. A team with its own integrations builds a command with
 * `runCommand`.
 */
const problem = tooOldNode("procedo", process.versions.node);
if (problem === undefined) {
  // Imported after the version check, because an old Node fails on these modules.
  const { runCommand } = await import("./command/run-command.ts");
  process.exitCode = await runCommand({ argv: process.argv.slice(2), env: process.env });
} else {
  console.error(problem);
  process.exitCode = 1;
}
