import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { IncomingMessage, RequestOptions, Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createBehaviours } from "../src/behaviours.ts";
import { systemClock } from "../src/clock.ts";
import { createEventSender } from "../src/event-sender.ts";
import { openJournal } from "../src/journal.ts";
import type { Journal } from "../src/journal.ts";
import { createKeyQueue } from "../src/key-queue.ts";
import { createRequestListener } from "../src/request-listener.ts";
import { createRoutes } from "../src/routes.ts";
import { defaultSeed } from "../src/seed.ts";

/** A ledger on a Unix socket, whose peers have no loopback address, with a flush that the test controls. */
export async function listenOnSocket(
  flush?: (fd: number) => Promise<void>,
): Promise<{ readonly journal: Journal; readonly server: Server; readonly socketPath: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "ledger-test-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const journal = openJournal({ dataDir, seed: defaultSeed, now: systemClock.now(), ...(flush && { flush }) });
  const sender = createEventSender({ journal, clock: systemClock });
  const context = { journal, sender, behaviours: createBehaviours(), keys: createKeyQueue(), clock: systemClock };
  const rest = { routes: createRoutes(() => ({})), token: undefined, die: undefined, cutOff: new AbortController() };
  const server = createServer(createRequestListener({ ...context, ...rest }));
  const socketPath = join(dataDir, "socket");
  await once(server.listen(socketPath), "listening");
  return { journal, server, socketPath };
}

/** Sends a request and resolves with the status of its answer. */
export async function send(options: RequestOptions, body?: string): Promise<number | undefined> {
  const sent = request(options).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
