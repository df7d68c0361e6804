import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { environments } from "@procedo/contract";
import type { Engine } from "@procedo/engine";
import type { RunningServer } from "@procedo/server";
import { spawnLedger, type LedgerProcess } from "@procedo-examples/ledger";
import { connectLedger, connectionNamed } from "./connect-ledger.ts";
import { connectLedgerEvents } from "./connect-ledger-events.ts";
import { receiverAt, setReceiver } from "./set-receiver.ts";

/**
 * Starts the ledger in a separate process that ends with this one, and connects both environments to it. Connections
 * contain the ledger's address, so the ledger reuses its previous port unless another process occupies that port. The
 * ledger sends its events to the sandbox.
 *
 * @param folder for the ledger's books
 */
export async function startLedgerNearby(
  { engine, appUrl }: Pick<RunningServer, "engine" | "appUrl">,
  folder: string,
): Promise<LedgerProcess> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [token, signingSecret] = [await secretIn(folder, "token"), await secretIn(folder, "signing-secret")];
  const known = await connectedPort(engine);
  const spawnAt = (port: number) => spawnLedger({ dataDir: folder, token, port, endWithParent: true });
  const ledger = known === undefined ? await spawnAt(0) : await spawnAt(known).catch(() => spawnAt(0));
  try {
    const access = { url: ledger.url, token, signingSecret };
    for (const environment of environments) await connectLedger(engine, environment, access);
    const address = await connectLedgerEvents(engine, "sandbox", access);
    await setReceiver(ledger, receiverAt({ appUrl, address, signingSecret }));
    return ledger;
  } catch (error) {
    await ledger.kill();
    throw error;
  }
}

async function connectedPort(engine: Engine): Promise<number | undefined> {
  const baseUrl = (await connectionNamed(engine, "sandbox", "ledger"))?.settings["baseUrl"];
  return typeof baseUrl === "string" ? Number(new URL(baseUrl).port) : undefined;
}

/** A secret of the ledger, created together with its folder. */
async function secretIn(folder: string, name: "token" | "signing-secret"): Promise<string> {
  const path = join(folder, name);
  const text = randomBytes(32).toString("base64url");
  await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== "EEXIST") throw error;
  });
  return (await readFile(path, "utf8")).trim();
}
