import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBehaviours } from "./behaviours.ts";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import { openJournal } from "./journal.ts";
import type { Journal } from "./journal.ts";
import { createKeyQueue } from "./key-queue.ts";
import { openApiDocument } from "./openapi.ts";
import { createRequestListener } from "./request-listener.ts";
import type { LedgerContext } from "./ledger-context.ts";
import type { LedgerEffect, RequestRecord } from "./request-record.ts";
import { createRoutes } from "./routes.ts";
import { defaultSeed } from "./seed.ts";
import type { LedgerSeed } from "./store.ts";

export interface LedgerOptions {
  /** @defaultValue 0: a free one */
  readonly port?: number;
  /** The address to listen on. @defaultValue "127.0.0.1" */
  readonly host?: string;
  /**
   * The folder of the record. One process at a time; the next one on it continues where the last one ended.
   * @defaultValue a temporary folder, removed by `close()`
   */
  readonly dataDir?: string;
  /** Not recorded: give the same one on each start. @defaultValue {@link defaultSeed} */
  readonly seed?: LedgerSeed;
  /** The bearer token that every endpoint but `/openapi.json` and `/_control` then asks for. @defaultValue none */
  readonly token?: string;
  /** @defaultValue the machine's time */
  readonly clock?: Clock;
  /** Ends the process, for the behaviour `dieAfterWork`, which is refused without it. */
  readonly die?: () => void;
}

/** A ledger that is listening. */
export interface Ledger {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Every request since the last reset, those to `/_control` excepted. */
  requests(): readonly RequestRecord[];
  /** What was asked and done per idempotency key. */
  effects(): readonly LedgerEffect[];
  /** Cuts off the requests at work, flushes the record and stops. */
  close(): Promise<void>;
}

/**
 * Starts a ledger in this process and resolves when it listens.
 *
 * @throws {Error} when the port is taken or the record in `dataDir` cannot be read.
 */
export async function startLedger(options: LedgerOptions = {}): Promise<Ledger> {
  const { port: wantedPort = 0, host = "127.0.0.1", seed = defaultSeed, clock = systemClock, token, die } = options;
  const server = createServer();
  // A client's pooled connection that the server closes first looks to the client like a lost answer.
  server.keepAliveTimeout = 60_000;
  const port = await listen(server, wantedPort, host);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

  // The record is opened only now: a second start on a taken port must not touch the record of the first.
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "ledger-"));
  const journal = openJournalOrStop(server, { dataDir, seed, now: clock.now() });
  const ledger: LedgerContext = {
    journal,
    behaviours: createBehaviours(),
    keys: createKeyQueue(),
    routes: createRoutes(() => openApiDocument({ url, secured: token !== undefined })),
    clock,
    token,
    die,
    cutOff: new AbortController(),
  };
  server.on("request", createRequestListener(ledger));

  return {
    url,
    port,
    requests: () => journal.records.requests(),
    effects: () => journal.records.effects(),
    async close() {
      ledger.cutOff.abort();
      server.close();
      server.closeAllConnections();
      await journal.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true });
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address !== null && typeof address === "object") return address.port;
  throw new Error(`The ledger listens on ${String(address)}, not on a port.`);
}

function openJournalOrStop(server: Server, options: Parameters<typeof openJournal>[0]): Journal {
  try {
    return openJournal(options);
  } catch (error) {
    server.close();
    throw error;
  }
}
