/**
 * `pnpm start`: runs the server on the data folder together with the ledger, publishes the vendor-payment procedure and
 * the check of due invoices, and lets the ledger's events and a schedule start them. With models in the settings,
 * mailed-payment is published too.
 */
import { join } from "node:path";
import { ProcedoError } from "@procedo/engine";
import { readSettings, runUntilStopped, startServer, type Settings } from "@procedo/server";
import type { LedgerProcess } from "@procedo-examples/ledger";
import { ledgerEvents } from "./ledger-events.ts";
import { startLedgerNearby } from "./ledger-nearby.ts";
import { prepareTriggers } from "./prepare-triggers.ts";
import {
  inviteFirstPeople,
  isNew,
  makeFirstKeys,
  publishDueInvoices,
  publishMailedPayment,
  publishVendorPayment,
  startFirstPayment,
} from "./prepare-workspace.ts";
import { welcome } from "./welcome.ts";

/** Allows outgoing requests to this machine, where the ledger runs. */
const loopback = "127.0.0.0/8,::1/128";

try {
  const settings = readSettings({
    PROCEDO_LOG_LEVEL: "warn",
    ...process.env,
    PROCEDO_ALLOW_NETWORKS: process.env["PROCEDO_ALLOW_NETWORKS"] || loopback,
  });
  await runUntilStopped(() => serve(settings));
  console.log("Stopped.");
} catch (error) {
  if (!ProcedoError.isError(error)) throw error;
  console.error(`Error (${error.code}): ${error.message}`);
  process.exitCode = 1;
}

async function serve(settings: Settings): Promise<{ stop(): Promise<void> }> {
  const server = await startServer({ settings, integrations: [ledgerEvents] });
  let ledger: LedgerProcess | undefined;
  const stop = async (): Promise<void> => {
    await server.stop();
    await ledger?.kill();
  };
  try {
    ledger = await startLedgerNearby(server, join(settings.dataDir, "ledger"));
    await publishVendorPayment(server.engine);
    await publishDueInvoices(server.engine);
    const triggers = await prepareTriggers(server.engine, "sandbox");
    const hasAgents = await publishMailedPayment(server.engine);
    const isFirst = await isNew(server.engine);
    if (isFirst) await startFirstPayment(server.engine);
    const invitations = isFirst ? await inviteFirstPeople(server.engine) : [];
    const keys = isFirst ? await makeFirstKeys(server.engine) : [];
    console.log(welcome({ server, ledger, triggers, keys, invitations, settings, hasAgents }).join("\n"));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
