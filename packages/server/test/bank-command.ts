/** The `procedo` command of a team with integrations of its own. */
import { runCommand } from "../src/index.ts";
import { integrations } from "./bank.ts";

process.exitCode = await runCommand({ argv: process.argv.slice(2), env: process.env, integrations });
