import { createHash, randomUUID } from "node:crypto";
import { environments, type Environment } from "@procedo/contract";
import type { Change } from "@procedo/storage";
import pg from "pg";
import { gatherNotices } from "./gathered-notices.ts";
import { driverErrorOf, isOutOfConnections, isUnanswered } from "./postgres-error.ts";

/** Changes that this node tells the others and they tell it, by LISTEN and NOTIFY on a connection of its own. */
export interface Notices {
  /** Gathered and lossy: what cannot be sent now is not sent later. */
  send(changes: readonly Change[]): void;
  /** Once what was announced is told, where the connection still takes it. */
  close(): Promise<void>;
}

export interface NoticesOptions {
  readonly connection: pg.ClientConfig;
  /** Quoted. */
  readonly schema: string;
  /** Told what others send, and `elsewhere` when some of it may have been lost. */
  readonly hear: (change: Change) => void;
  /** Told when the server takes no writes any more: after a failover the address leads to another one. */
  readonly onReadOnly: () => void;
  /** Asked about each connection before anything is set on it; rejects when it cannot listen. */
  readonly check: (client: pg.Client) => Promise<void>;
  /** Told when the server, or a pooler, gives no connection for listening; it is asked again. */
  readonly onNoConnection: () => void;
  /** How often to ask whether the connection is still there. */
  readonly pollMs: number;
  readonly timeoutMs: number;
}

/** Postgres takes less than 8,000 bytes. */
const maxPayloadBytes = 7_900;
const longestPauseMs = 5_000;

/**
 * Listens; rejects when the first connection fails, unless the server gives none at the moment. Later ones are made anew for
 * as long as it takes.
 */
export async function openNotices({
  connection,
  schema,
  hear,
  onReadOnly,
  check,
  onNoConnection,
  pollMs,
  timeoutMs,
}: NoticesOptions): Promise<Notices> {
  const channel = `procedo_${createHash("sha256").update(schema).digest("hex").slice(0, 24)}`;
  const self = randomUUID().slice(0, 8);
  let client: pg.Client | undefined;
  let closed = false;
  let sending = false;
  let retry: NodeJS.Timeout | undefined;
  let pauseMs = 100;

  async function listen(): Promise<void> {
    const fresh = new pg.Client({
      ...connection,
      // A pool hides it from those who look at its options, and so from what is spread.
      password: connection.password,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    });
    fresh.on("error", () => lose(fresh));
    fresh.on("end", () => lose(fresh));
    fresh.on("notification", ({ payload }) => receive(payload ?? ""));
    try {
      await fresh.connect();
      await check(fresh);
      // Postgres writes a commit to disk for each notice, which may be lost all the same.
      await fresh.query(`LISTEN ${channel}; SET synchronous_commit = off`);
    } catch (error) {
      void fresh.end().catch(() => undefined);
      throw driverErrorOf(error);
    }
    if (closed) void fresh.end().catch(() => undefined);
    else client = fresh;
    pauseMs = 100;
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    client = undefined;
    void lost.end().catch(() => undefined);
    listenAgain();
  }

  function listenAgain(): void {
    if (closed) return;
    retry = setTimeout(
      () => {
        listen().then(
          () => {
            // Notices are not kept for those who are away, in either direction.
            hear({ type: "elsewhere" });
            gathered.add([{ type: "elsewhere" }]);
          },
          (error: unknown) => {
            if (givesNone(error)) onNoConnection();
            listenAgain();
          },
        );
      },
      pauseMs * (0.5 + Math.random()),
    );
    retry.unref();
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }

  function receive(payload: string): void {
    const { from, changes } = decodeNotice(payload);
    if (from !== self) for (const change of changes) hear(change);
  }

  /** After the commits that it tells of, and outside of them: NOTIFY locks all that commit with one against each other. */
  const gathered = gatherNotices(async (changes) => {
    const sender = client;
    if (sender === undefined) return;
    const values = [channel, encodeNotice(self, changes)];
    sending = true;
    await sender.query({ name: "notify", text: "SELECT pg_notify($1, $2)", values }).catch(() => lose(sender));
    sending = false;
  });

  /** A connection whose other end is gone says nothing by itself, and neither does one to a primary that was demoted. */
  async function ask(asked: pg.Client): Promise<void> {
    try {
      const { rows } = await asked.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
      if (rows[0]?.transaction_read_only !== "on") return;
      onReadOnly();
    } catch {
      // Lost.
    }
    lose(asked);
  }

  const poll = setInterval(() => {
    if (client !== undefined && !sending) void ask(client);
  }, pollMs);
  poll.unref();

  try {
    await listen();
  } catch (error) {
    if (!givesNone(error)) {
      clearInterval(poll);
      throw error;
    }
    onNoConnection();
    listenAgain();
  }
  return {
    send: (changes) => gathered.add(changes),
    async close() {
      closed = true;
      clearInterval(poll);
      clearTimeout(retry);
      await gathered.close();
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

function givesNone(error: unknown): boolean {
  return isOutOfConnections(error) || isUnanswered(error);
}

/** In place of the environment of a record that belongs to the workspace. */
const bothEnvironments = "both";

/** Changes of one kind are one change; too many of them are a change of anything. */
export function encodeNotice(from: string, changes: readonly Change[]): string {
  const kinds = new Set<string>();
  const named = new Set<string>();
  for (const change of changes) {
    if ("runId" in change) named.add(`${change.type} ${change.runId}`);
    else if ("connectionId" in change) named.add(`${change.type} ${change.connectionId}`);
    else if (change.type === "record_changed") {
      named.add(`${change.type} ${change.environment ?? bothEnvironments} ${change.kind} ${change.id}`);
    } else if (change.type === "default_changed") named.add(`${change.type} ${change.environment}`);
    else kinds.add(change.type);
  }
  const payload = JSON.stringify([from, ...kinds, ...named]);
  return Buffer.byteLength(payload) <= maxPayloadBytes ? payload : JSON.stringify([from, "elsewhere"]);
}

/** What cannot be read, of a newer version perhaps, may mean anything. */
export function decodeNotice(payload: string): { readonly from: string; readonly changes: readonly Change[] } {
  const unknown: Change = { type: "elsewhere" };
  let words: unknown;
  try {
    words = JSON.parse(payload);
  } catch {
    return { from: "", changes: [unknown] };
  }
  if (!Array.isArray(words)) return { from: "", changes: [unknown] };
  const [from, ...rest] = words.map(String);
  return { from: from ?? "", changes: rest.map((word) => changeOf(word) ?? unknown) };
}

function changeOf(word: string): Change | undefined {
  switch (word) {
    case "claimable":
    case "deliverable":
    case "elsewhere":
      return { type: word };
  }
  const space = word.indexOf(" ");
  const type = word.slice(0, space);
  const name = word.slice(space + 1);
  switch (type) {
    case "invocable":
      return { type, connectionId: name };
    case "notified":
    case "settled":
      return { type, runId: name };
    case "default_changed":
      return isEnvironment(name) ? { type, environment: name } : undefined;
    case "record_changed":
      return recordChangeOf(name);
  }
  return undefined;
}

/** A kind has no space; an id may. */
function recordChangeOf(words: string): Change | undefined {
  const [environment = "", kind, ...id] = words.split(" ");
  if (kind === undefined || id.length === 0) return undefined;
  const named = { type: "record_changed", kind, id: id.join(" ") } as const;
  if (isEnvironment(environment)) return { ...named, environment };
  return environment === bothEnvironments ? { ...named, environment: undefined } : undefined;
}

function isEnvironment(word: string): word is Environment {
  return (environments as readonly string[]).includes(word);
}
