/** `pnpm procedo …`: the command-line interface to the data of `pnpm start`. */
import { runCommand } from "@procedo/server";
import { ledgerEvents } from "./ledger-events.ts";

const env = { ...process.env, PROCEDO_ALLOW_NETWORKS: process.env["PROCEDO_ALLOW_NETWORKS"] || "127.0.0.0/8,::1/128" };
process.exitCode = await runCommand({ argv: process.argv.slice(2), env, integrations: [ledgerEvents] });
