import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { environments } from "@procedo/contract";
import type { Engine } from "@procedo/engine";
import { spawnLedger, type LedgerProcess } from "@procedo-examples/ledger";
import { connectLedger, ledgerConnection } from "./connect-ledger.ts";

/**
 * Starts the ledger in a separate process that ends with this one, and connects both environments to it. Connections
 * contain the ledger's address, so the ledger reuses its previous port unless another process occupies that port.
 *
 * @param folder for the ledger's books
 */
export async function startLedgerNearby(engine: Engine, folder: string): Promise<LedgerProcess> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const token = await tokenIn(folder);
  const known = await connectedPort(engine);
  const spawnAt = (port: number) => spawnLedger({ dataDir: folder, token, port, endWithParent: true });
  const ledger = known === undefined ? await spawnAt(0) : await spawnAt(known).catch(() => spawnAt(0));
  try {
    for (const environment of environments) await connectLedger(engine, environment, { url: ledger.url, token });
    return ledger;
  } catch (error) {
    await ledger.kill();
    throw error;
  }
}

async function connectedPort(engine: Engine): Promise<number | undefined> {
  const baseUrl = (await ledgerConnection(engine, "sandbox"))?.settings["baseUrl"];
  return typeof baseUrl === "string" ? Number(new URL(baseUrl).port) : undefined;
}

/** The ledger's token, created together with its folder. */
async function tokenIn(folder: string): Promise<string> {
  const path = join(folder, "token");
  const text = randomBytes(32).toString("base64url");
  await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== "EEXIST") throw error;
  });
  return (await readFile(path, "utf8")).trim();
}
