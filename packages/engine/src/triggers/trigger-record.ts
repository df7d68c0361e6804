import type { Environment, JsonObject, TriggerSource } from "@procedo/contract";
import {
  triggerEventKey,
  type NewRecord,
  type Overlap,
  type RecordRow,
  type Scope,
  type TriggerGate,
} from "@procedo/storage";
import { uniqueAddressOf } from "../integrations/inbound-address.ts";
import { procedureOrigin } from "../runs/custom-event.ts";
import type { SecretBox, SecretPlace } from "../secrets/secret-box.ts";
import type { TriggerPause } from "./triggers.ts";

export const triggerKind = "trigger";

/** A trigger as it is stored. */
export interface TriggerBody {
  readonly name: string;
  readonly procedureId: string;
  /** `null`: the default of the environment. */
  readonly version: string | null;
  readonly source: TriggerSource;
  readonly when: string | null;
  readonly input: JsonObject;
  readonly overlap: Overlap;
  readonly maxOpenRuns: number | null;
  readonly pauseAfterFailures: number | null;
  /** Present while it is paused. */
  readonly paused?: TriggerPause;
  /** When it was last resumed. Times before it that are not accounted for passed during the pause. */
  readonly resumedAtMs?: number;
  /**
   * When its database was last restored from a copy. The original may have fired times before it. A restore of SQLite
   * writes it without the engine.
   */
  readonly restoredAtMs?: number;
  /** Of a webhook trigger. */
  readonly inbound?: InboundSecret;
  readonly createdBy: string;
  readonly createdAtMs: number;
  /** The person for whom its runs start. */
  readonly updatedBy: string;
  readonly updatedAtMs: number;
}

/** The address of a webhook trigger, and its encrypted secrets. */
export interface InboundSecret {
  /** `in_sandbox_…` or `in_live_…` */
  readonly address: string;
  readonly secret: string;
  /** The replaced ones that may still be accepted, the newest first. @defaultValue none */
  readonly oldSecrets?: readonly OldSecret[];
}

/** A replaced secret, encrypted. */
export interface OldSecret {
  readonly secret: string;
  readonly expiresAtMs: number;
}

export function triggerBody(row: RecordRow): TriggerBody {
  return JSON.parse(row.body) as TriggerBody;
}

/** @param schedule `kept` unless the write changes the place of the schedule in time */
export function triggerRecord(
  scope: Scope,
  triggerId: string,
  body: TriggerBody,
  schedule: TriggerGate["schedule"],
): NewRecord {
  const { name, overlap, maxOpenRuns, paused, inbound } = body;
  const { workspace, environment } = scope;
  return {
    workspace,
    environment,
    kind: triggerKind,
    id: triggerId,
    body: JSON.stringify(body),
    uniqueKeys: [uniqueNameOf(scope, name), ...(inbound === undefined ? [] : [uniqueAddressOf(inbound.address)])],
    keys: eventKeysOf(scope, triggerId, body.source),
    trigger: { overlap, maxOpenRuns: maxOpenRuns ?? undefined, isHeld: paused?.events === "hold", schedule },
  };
}

export function uniqueNameOf({ workspace, environment }: Scope, name: string): string {
  return JSON.stringify(["name", workspace, environment, name]);
}

/** The keys by which a trigger takes events. */
function eventKeysOf(scope: Scope, triggerId: string, source: TriggerSource): readonly string[] {
  switch (source.kind) {
    case "schedule":
      return [];
    case "webhook":
      return [triggerEventKey(scope, triggerId, undefined)];
    case "integration":
      return source.events.map((type) => triggerEventKey(scope, connectionOrigin(source.connection), type));
    case "event":
      return [triggerEventKey(scope, procedureOrigin(source.procedureId), source.name)];
  }
}

/** The origin of events in keys, by the connection's name: a trigger names its connection so. */
export function connectionOrigin(name: string): string {
  return `connection ${name}`;
}

/** Encrypts and decrypts the secrets of one webhook trigger. */
export interface TriggerSecrets {
  seal(secret: string): string;
  sealOld(secret: string): string;
  /** All of its secrets, the newest first. @throws ProcedoError `decryption_failed` */
  open(inbound: InboundSecret): readonly OpenSecret[];
}

/** A secret in the clear, and the time until which it is accepted: `Infinity` for the present one. */
export interface OpenSecret {
  readonly secret: string;
  readonly expiresAtMs: number;
}

export function triggerSecrets(box: SecretBox, { workspace, environment }: Scope, triggerId: string): TriggerSecrets {
  const place = (field: string): SecretPlace => ({
    workspaceId: workspace,
    environment: environment satisfies Environment,
    kind: triggerKind,
    id: triggerId,
    field,
  });
  return {
    seal: (secret) => box.seal(secret, place("secret")),
    sealOld: (secret) => box.seal(secret, place("oldSecret")),
    open: ({ secret, oldSecrets = [] }) => [
      { secret: box.open(secret, place("secret")), expiresAtMs: Infinity },
      ...oldSecrets.map((old) => ({ ...old, secret: box.open(old.secret, place("oldSecret")) })),
    ],
  };
}
