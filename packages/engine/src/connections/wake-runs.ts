import type { Storage } from "@procedo/storage";
import type { ConnectionPlace } from "./connection-record.ts";

export interface WakePorts {
  readonly storage: { readonly runs: Pick<Storage["runs"], "wake"> };
  readonly workspace: string;
}

/** Runs that are woken in one transaction. */
const wakeLimit = 500;

/**
 * Lets every run go on that waits for the authorization of this connection. A run that still lacks it waits again.
 *
 * @throws ProcedoError `storage_unavailable`. Runs that were not woken look again by themselves, within an hour.
 */
export async function wakeRunsWaitingFor({ storage, workspace }: WakePorts, place: ConnectionPlace): Promise<void> {
  const scope = { workspace, environment: place.environment };
  while ((await storage.runs.wake({ scope, waitsFor: place.connectionId, limit: wakeLimit })) > 0);
}
