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
import type { HealthReport } from "./resolved-connection.ts";

/** Stores whether a connection works, when that changes. */
export interface ConnectionHealth {
  /** Receives the outcomes of one connection's calls; `health` is its stored health. */
  reportOf(address: ConnectionPlace, health: StoredHealth | undefined): HealthReport;
  /** Stores the result of a test; resolves also when that fails. `failure` is undefined after a success. */
  record(address: ConnectionPlace, failure: string | undefined): Promise<void>;
}

/** Bounds the writes of a connection that keeps alternating between success and failure. */
const maxChangesPerMinute = 6;
const minuteMs = 60_000;

const maxMessageLength = 500;
const maxTries = 3;

export function createConnectionHealth(ports: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly log: Log;
}): ConnectionHealth {
  const { workspace, clock, log } = ports;
  const { records } = ports.storage;
  /** The number of changes per connection since the start of its current minute. */
  const changes = new Map<string, { readonly sinceMs: number; count: number }>();

  const mayChange = (connectionId: string): boolean => {
    const nowMs = clock.monotonic();
    let known = changes.get(connectionId);
    if (known === undefined || nowMs - known.sinceMs >= minuteMs) known = { sinceMs: nowMs, count: 0 };
    changes.set(connectionId, known);
    known.count += 1;
    return known.count <= maxChangesPerMinute;
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
      const changed = connectionRecord(workspace, environment, connectionId, { ...body, health });
      if ((await records.put({ record: changed, ifRevision: row.revision })).status === "stored") return;
    }
  };

  const record: ConnectionHealth["record"] = async (address, failure) => {
    await write(address, failure).catch((error: unknown) => {
      log.warn("The health of a connection could not be stored.", { ...address, error: errorText(error) });
    });
  };

  return {
    record,
    reportOf: (address, health) => {
      let known = health?.ok;
      const report = (failure: string | undefined): void => {
        const ok = failure === undefined;
        if (known === ok || !mayChange(address.connectionId)) return;
        known = ok;
        void record(address, failure);
      };
      return { answered: () => report(undefined), failed: report };
    },
  };
}
