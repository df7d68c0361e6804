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
import { createEventSender } from "./event-sender.ts";
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
  /** @defaultValue 0, for a free port */
  readonly port?: number;
  /** The address to listen on. @defaultValue "127.0.0.1" */
  readonly host?: string;
  /**
   * Folder of the record, for one process at a time. The next process continues where the previous one ended.
   * @defaultValue a temporary folder, removed by `close()`
   */
  readonly dataDir?: string;
  /** Initial data. It is not recorded: give the same data on each start. @defaultValue {@link defaultSeed} */
  readonly seed?: LedgerSeed;
  /** Bearer token required by every endpoint except `/openapi.json` and `/_control`. @defaultValue none */
  readonly token?: string;
  /** @defaultValue the system's time */
  readonly clock?: Clock;
  /** Ends the process for the behaviour `dieAfterWork`. Without this option, the behaviour is refused. */
  readonly die?: () => void;
}

/** A listening ledger. */
export interface Ledger {
  /** Base address without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Every request since the last reset, except those to `/_control`. */
  requests(): readonly RequestRecord[];
  /** The requests and payments per idempotency key. */
  effects(): readonly LedgerEffect[];
  /** Cuts off the requests in progress, flushes the record and stops. */
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
  // When the server closes a pooled connection first, the client may see a lost answer.
  server.keepAliveTimeout = 60_000;
  const port = await listen(server, wantedPort, host);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

  // The record is opened after listening, so that a second start on a taken port cannot touch the record of the first.
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "ledger-"));
  const journal = openJournalOrStop(server, { dataDir, seed, now: clock.now() });
  const sender = createEventSender({ journal, clock });
  sender.wake();
  const ledger: LedgerContext = {
    journal,
    sender,
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
      await sender.stop();
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
