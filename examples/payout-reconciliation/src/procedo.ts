/** The server and the `procedo` command with the calculations of this example, for the real services. */
import { runCommand } from "@procedo/server";
import { payoutMatching } from "./payout-matching.ts";

process.exitCode = await runCommand({
  argv: process.argv.slice(2),
  env: process.env,
  integrations: [payoutMatching],
});
