import type { Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import {
  connectionBody,
  connectionKind,
  connectionRecord,
  type ConnectionPlace,
  type StoredHealth,
} from "./connection-record.ts";
import type { CallWatch } from "./resolved-connection.ts";

/** Writes down how a connection fares, when that changes. */
export interface HealthKeeper {
  /** A watch over the calls of one connection that fared so when it was read. */
  watch(address: ConnectionPlace, health: StoredHealth | undefined): CallWatch;
  /** What a test found out; resolves when it is stored, or cannot be. */
  found(address: ConnectionPlace, failure: string | undefined): Promise<void>;
}

/** A connection that fares this way and that is not written down at every turn. */
const maxTurnsInAMinute = 6;
const minuteMs = 60_000;

const maxMessageLength = 500;
const maxTries = 3;

export function createHealthKeeper(ports: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly log: Log;
}): HealthKeeper {
  const { workspace, clock, log } = ports;
  const { records } = ports.storage;
  /** Of each connection: what was written of its calls since a moment. */
  const turns = new Map<string, { readonly sinceMs: number; count: number }>();

  const mayTurn = (connectionId: string): boolean => {
    const nowMs = clock.monotonic();
    let known = turns.get(connectionId);
    if (known === undefined || nowMs - known.sinceMs >= minuteMs) known = { sinceMs: nowMs, count: 0 };
    turns.set(connectionId, known);
    known.count += 1;
    return known.count <= maxTurnsInAMinute;
  };

  const write = async ({ environment, connectionId }: ConnectionPlace, failure: string | undefined) => {
    const atMs = clock.now();
    const health: StoredHealth =
      failure === undefined ? { ok: true, atMs } : { ok: false, atMs, message: failure.slice(0, maxMessageLength) };
    for (let tries = 0; tries < maxTries; tries++) {
      const row = await records.get({ workspace, kind: connectionKind, id: connectionId });
      if (row?.environment !== environment) return;
      const body = connectionBody(row);
      if (body.health?.ok === health.ok && body.health.message === health.message) return;
      const record = connectionRecord(workspace, environment, connectionId, { ...body, health });
      if ((await records.put({ record, ifRevision: row.revision })).status === "stored") return;
    }
  };

  const found: HealthKeeper["found"] = async (address, failure) => {
    await write(address, failure).catch((error: unknown) => {
      log.warn("How a connection fares could not be stored.", { ...address, error: errorText(error) });
    });
  };

  return {
    found,
    watch: (address, health) => {
      let known = health?.ok;
      const tell = (failure: string | undefined): void => {
        const ok = failure === undefined;
        if (known === ok || !mayTurn(address.connectionId)) return;
        known = ok;
        void found(address, failure);
      };
      return { answered: () => tell(undefined), failed: tell };
    },
  };
}
