import type { Environment } from "@procedo/contract";
import type { NewRecord, Storage } from "@procedo/storage";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";
import { digestOf, newRawToken } from "../access/raw-token.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { SecretBox } from "../secrets/secret-box.ts";

const pendingKind = "oauth_authorization";

/** How long a person has to open the link, and again to authorize the connection, in milliseconds. */
export const pendingLifeMs = 600_000;

/** An authorization that a person began. */
export interface Begun {
  readonly connectionId: string;
  readonly environment: Environment;
  /** The person who began it. */
  readonly by: string;
  readonly via: string;
  /** The path of the application to return to. */
  readonly returnTo?: string;
  /** Whether another account may replace the one before. */
  readonly replacesAccount: boolean;
}

/** An authorization that waits for the server's redirect. */
export interface Sent extends Begun {
  /** Digest of the client whose server was sent the browser. */
  readonly client: string;
  /** Digest of the text in the browser's cookie. */
  readonly browser: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/**
 * Authorizations in progress. Each text that finds one is random, stored as its digest only, and good once: of several
 * callers with the same text, one gets the authorization.
 */
export interface PendingAuthorizations {
  /** Returns the ticket: the text that finds it. */
  begin(begun: Begun): Promise<{ readonly ticket: string; readonly expiresAtMs: number }>;
  /** Takes a ticket out; `undefined` for one that is unknown, used or expired. */
  takeTicket(ticket: string): Promise<Begun | undefined>;
  /** Returns the state: the text that finds it. */
  send(sent: Sent): Promise<string>;
  /** Takes a state out; `undefined` for one that is unknown, used or expired. */
  takeState(state: string): Promise<Sent | undefined>;
  /** Adds an entry about an authorization that was refused to the workspace's chain. */
  recordRefused(begun: Begun, fact: AuditFact): Promise<void>;
}

const prefixes = { ticket: "oat_", state: "oas_" } as const;

interface Stored<Value> {
  readonly value: Value;
  readonly expiresAtMs: number;
}

export function createPendingAuthorizations(ports: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "bytes">;
}): PendingAuthorizations {
  const { workspace, secretBox, clock } = ports;
  const { records } = ports.storage;

  const put = async <Value extends Begun>(kind: keyof typeof prefixes, value: Value) => {
    await removeExpired();
    const text = newRawToken(prefixes[kind], ports.random);
    const expiresAtMs = clock.now() + pendingLifeMs;
    await records.put({ record: recordOf(text, value, expiresAtMs), ifRevision: 0 });
    return { text, expiresAtMs };
  };

  const recordOf = <Value extends Begun>(text: string, value: Value, expiresAtMs: number): NewRecord => {
    const { environment } = value;
    const id = digestOf(text);
    // The code verifier of PKCE is a secret; the rest is sealed with it.
    const sealed = secretBox.seal(
      JSON.stringify({ value, expiresAtMs } satisfies Stored<Value>),
      placeOf(environment, id),
    );
    const body = JSON.stringify({ sealed, expiresAtMs });
    return { workspace, environment, kind: pendingKind, id, body, uniqueKeys: [], keys: [] };
  };

  const take = async <Value>(text: string): Promise<Value | undefined> => {
    const address = { workspace, kind: pendingKind, id: digestOf(text) };
    const row = await records.get(address);
    if (row?.environment === undefined) return undefined;
    // First of all: the text is used up, also if a later step fails.
    if ((await records.remove(address)) !== "removed") return undefined;
    const { sealed } = JSON.parse(row.body) as { readonly sealed: string };
    const stored = JSON.parse(secretBox.open(sealed, placeOf(row.environment, row.id))) as Stored<Value>;
    return stored.expiresAtMs > clock.now() ? stored.value : undefined;
  };

  const placeOf = (environment: Environment, id: string) => {
    return { workspaceId: workspace, environment, kind: pendingKind, id, field: "authorization" };
  };

  /** Removes what was never finished. There are few: each is begun by a person. */
  const removeExpired = async (): Promise<void> => {
    const { items } = await records.list({ workspace, kind: pendingKind, limit: 100 });
    for (const { id, body } of items) {
      const { expiresAtMs } = JSON.parse(body) as { readonly expiresAtMs: number };
      if (expiresAtMs <= clock.now()) await records.remove({ workspace, kind: pendingKind, id });
    }
  };

  return {
    begin: async (begun) => {
      const { text, expiresAtMs } = await put("ticket", begun);
      return { ticket: text, expiresAtMs };
    },
    takeTicket: async (ticket) => (ticket.startsWith(prefixes.ticket) ? await take<Begun>(ticket) : undefined),
    send: async (sent) => (await put("state", sent)).text,
    takeState: async (state) => (state.startsWith(prefixes.state) ? await take<Sent>(state) : undefined),
    // An entry of the chain needs a write that carries it. One of the grant would take the place of a renewal under way, so
    // it is that of an authorization that no text finds, and that has expired.
    recordRefused: async (begun, fact) => {
      const record = recordOf(newRawToken(prefixes.state, ports.random), begun, clock.now());
      await ports.audit.record(fact, (audit) => records.put({ record, ifRevision: 0, audit }));
    },
  };
}
