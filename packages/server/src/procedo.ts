#!/usr/bin/env node
import { runCommand } from "./command/run-command.ts";

/** The command with Custom API and no other integration: a team that has some makes its own command with `runCommand`. */
process.exitCode = await runCommand({ argv: process.argv.slice(2), env: process.env });
