#!/usr/bin/env node
import process from "node:process";
import { tooOldNode } from "./supported-node.ts";

const problem = tooOldNode("procedo-connect", process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}
// Imported after the version check, because an old Node fails at the command's imports.
const { runConnect } = await import("./command/run-connect.ts");
const code = await runConnect({
  argv: process.argv.slice(2),
  write: (line) => console.log(line),
  writeError: (line) => console.error(line),
  onSignal: (callback) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => callback(signal));
  },
  exit: (exitCode) => process.exit(exitCode),
});
// Open resources of a module, such as a database pool, would keep the process alive.
process.exit(code);
