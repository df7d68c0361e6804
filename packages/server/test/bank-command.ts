/** The `procedo` command of a team with its own integrations. */
import { runCommand } from "../src/index.ts";
import { integrations } from "./bank.ts";

process.exitCode = await runCommand({ argv: process.argv.slice(2), env: process.env, integrations });
