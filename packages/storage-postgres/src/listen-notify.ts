import { createHash, randomUUID } from "node:crypto";
import { environments, type Environment } from "@procedo/contract";
import type { Change } from "@procedo/storage";
import pg from "pg";
import { createNotifyBatcher } from "./notify-batcher.ts";
import { driverErrorOf, isOutOfConnections, isUnanswered } from "./postgres-error.ts";

/** Exchanges changes with the other nodes, by LISTEN and NOTIFY on a connection of its own. */
export interface Notifications {
  /** Sends changes in batches. A change that cannot be sent now is lost. */
  send(changes: readonly Change[]): void;
  /** Whether changes of other nodes arrive. */
  isListening(): boolean;
  /** Resolves once the collected changes have been sent, if the connection still works. */
  close(): Promise<void>;
}

export interface NotificationsOptions {
  readonly connection: pg.ClientConfig;
  /** The quoted name of the schema. */
  readonly schema: string;
  /** Called with the changes of other nodes, and with `resync` when changes may have been lost. */
  readonly onChange: (change: Change) => void;
  /** Called when the server has become read-only: after a failover, the address leads to another server. */
  readonly onReadOnly: () => void;
  /** Checks each connection before any setting is changed on it. Rejects if the connection cannot listen. */
  readonly check: (client: pg.Client) => Promise<void>;
  /** Called when the server or a pooler provides no connection for listening. Another attempt follows. */
  readonly onNoConnection: () => void;
  /** The interval of checks that the connection still works, in milliseconds. */
  readonly pollMs: number;
  readonly timeoutMs: number;
}

/** Postgres accepts less than 8,000 bytes. */
const maxPayloadBytes = 7_900;
const longestPauseMs = 5_000;

/**
 * Starts listening. Rejects if the first connection fails, unless the server provides none at the moment. A lost
 * connection is replaced, with any number of attempts.
 */
export async function openNotifications({
  connection,
  schema,
  onChange,
  onReadOnly,
  check,
  onNoConnection,
  pollMs,
  timeoutMs,
}: NotificationsOptions): Promise<Notifications> {
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
      // A pool makes its password non-enumerable, so the spread does not copy it.
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
      // A notification may be lost in any case, so its commit need not wait for the disk.
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
            // Postgres stores no notifications for an absent listener, so changes may be lost in both directions.
            onChange({ type: "resync" });
            batcher.add([{ type: "resync" }]);
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
    const { from, changes } = decodeNotification(payload);
    if (from !== self) for (const change of changes) onChange(change);
  }

  /** Sent after the announced commits, in separate transactions: commits that include a NOTIFY lock each other out. */
  const batcher = createNotifyBatcher(async (changes) => {
    const sender = client;
    if (sender === undefined) return;
    const values = [channel, encodeNotification(self, changes)];
    sending = true;
    await sender.query({ name: "notify", text: "SELECT pg_notify($1, $2)", values }).catch(() => lose(sender));
    sending = false;
  });

  /** Detects a dead peer and a demoted primary, neither of which a connection reports. */
  async function checkConnection(checked: pg.Client): Promise<void> {
    try {
      const { rows } = await checked.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
      if (rows[0]?.transaction_read_only !== "on") return;
      onReadOnly();
    } catch {
      // The connection is lost.
    }
    lose(checked);
  }

  const poll = setInterval(() => {
    if (client !== undefined && !sending) void checkConnection(client);
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
    send: (changes) => batcher.add(changes),
    isListening: () => client !== undefined,
    async close() {
      closed = true;
      clearInterval(poll);
      clearTimeout(retry);
      await batcher.close();
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

function givesNone(error: unknown): boolean {
  return isOutOfConnections(error) || isUnanswered(error);
}

/** The environment of a record that belongs to the workspace. */
const bothEnvironments = "both";

/**
 * Sends repeated changes once. Settled runs, which are frequent, form one array for each scope, which begins with
 * environment and workspace. Changes that exceed the size limit are sent as `resync`.
 */
export function encodeNotification(from: string, changes: readonly Change[]): string {
  const kinds = new Set<string>();
  const named = new Set<string>();
  const settled = new Map<string, Set<string>>();
  for (const change of changes) {
    if (change.type === "settled") {
      const scope = `${change.scope.environment} ${change.scope.workspace}`;
      const runIds = settled.get(scope) ?? new Set<string>();
      settled.set(scope, runIds.add(change.runId));
    } else if ("runId" in change) named.add(`${change.type} ${change.runId}`);
    else if ("personId" in change) named.add(`${change.type} ${change.personId}`);
    else if ("connectionId" in change) named.add(`${change.type} ${change.connectionId}`);
    else if (change.type === "record_changed") {
      named.add(`${change.type} ${change.environment ?? bothEnvironments} ${change.kind} ${change.id}`);
    } else if (change.type === "written") {
      named.add(`${change.type} ${change.scope.environment} ${change.scope.workspace}`);
    } else if (change.type === "default_changed") named.add(`${change.type} ${change.environment}`);
    else kinds.add(change.type);
  }
  const groups = [...settled].map(([scope, runIds]) => [scope, ...runIds]);
  const payload = JSON.stringify([from, ...kinds, ...named, ...groups]);
  return Buffer.byteLength(payload) <= maxPayloadBytes ? payload : JSON.stringify([from, "resync"]);
}

/** An unreadable change, perhaps from a newer version, counts as `resync`. */
export function decodeNotification(payload: string): { readonly from: string; readonly changes: readonly Change[] } {
  const unknown: Change = { type: "resync" };
  let words: unknown;
  try {
    words = JSON.parse(payload);
  } catch {
    return { from: "", changes: [unknown] };
  }
  if (!Array.isArray(words)) return { from: "", changes: [unknown] };
  const [from = "", ...rest] = words as readonly unknown[];
  const changes = rest.flatMap((part) =>
    Array.isArray(part) ? settledRuns(part.map(String)) : changeOf(String(part)),
  );
  return { from: String(from), changes: changes.map((change) => change ?? unknown) };
}

/** The runs of one scope; `undefined` in place of an unreadable group. */
function settledRuns([scope = "", ...runIds]: readonly string[]): readonly (Change | undefined)[] {
  const [environment = "", ...workspace] = scope.split(" ");
  if (!isEnvironment(environment) || workspace.length === 0 || runIds.length === 0) return [undefined];
  const of = { workspace: workspace.join(" "), environment };
  return runIds.map((runId) => ({ type: "settled", runId, scope: of }));
}

function changeOf(word: string): Change | undefined {
  switch (word) {
    case "claimable":
    case "deliverable":
    case "fireable":
    case "resync":
      return { type: word };
  }
  const space = word.indexOf(" ");
  const type = word.slice(0, space);
  const name = word.slice(space + 1);
  switch (type) {
    case "invocable":
      return { type, connectionId: name };
    case "notified":
      return { type, runId: name };
    case "session_ended":
      return { type, personId: name };
    case "written":
      return writtenOf(name);
    case "default_changed":
      return isEnvironment(name) ? { type, environment: name } : undefined;
    case "record_changed":
      return recordChangeOf(name);
  }
  return undefined;
}

/** A workspace may contain a space. */
function writtenOf(words: string): Change | undefined {
  const [environment = "", ...workspace] = words.split(" ");
  if (!isEnvironment(environment) || workspace.length === 0) return undefined;
  return { type: "written", scope: { workspace: workspace.join(" "), environment } };
}

/** A kind contains no space; an id may contain one. */
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
