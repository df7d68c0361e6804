import type { Environment, EventName } from "@procedo/contract";
import { webhookEventKey, type NewRecord, type RecordRow } from "@procedo/storage";
import type { Random } from "../ports/random.ts";
import type { SecretBox, SecretPlace } from "../secrets/secret-box.ts";

/** A receiver of events. */
export interface Webhook {
  /** Identifier of the webhook. */
  readonly webhookId: string;
  /** Name of the webhook, for people. */
  readonly name: string;
  /** The address that receives the events. */
  readonly url: string;
  /** Names of the events that it receives. */
  readonly events: readonly EventName[];
  /** Whether events are sent to it. Events for an inactive webhook are recorded as skipped. */
  readonly isActive: boolean;
  /** When it became inactive. Absent for an active webhook. */
  readonly deactivatedAtMs?: number;
  /**
   * Why it is inactive: the person who deactivated it, or the failure of its receiver. Absent for an active webhook.
   */
  readonly deactivatedBecause?: string;
  /**
   * Time of the first failed attempt since an attempt was last accepted, or of the activation or change of the address,
   * if that was later. Attempts of people do not start it. Absent for a webhook that is not failing.
   */
  readonly failingSinceMs?: number;
  /** The environment whose events it receives. */
  readonly environment: Environment;
  /** The person who created it. */
  readonly createdBy: string;
  /** Time of its creation, in milliseconds since the epoch. */
  readonly createdAtMs: number;
}

/** A webhook as it is stored. */
export interface WebhookBody extends Omit<
  Webhook,
  "webhookId" | "environment" | "deactivatedAtMs" | "deactivatedBecause" | "failingSinceMs"
> {
  /** Present for an inactive webhook. */
  readonly deactivated?: DeactivatedWebhook;
  /** Encrypted. */
  readonly secret: string;
  /** The secret before the last rotation. It signs beside the new one until `expiresAtMs`. */
  readonly oldSecret?: { readonly secret: string; readonly expiresAtMs: number };
  /** When it was last activated or its URL last changed. Earlier failures do not count against it. */
  readonly activeSinceMs: number;
}

/** The time and reason of a deactivation. */
export interface DeactivatedWebhook {
  readonly atMs: number;
  readonly because: string;
  /** Present if the behaviour of the receiver was the reason, and not a person. */
  readonly isByService?: true;
}

export const webhookKind = "webhook";

export function webhookBody(row: RecordRow): WebhookBody {
  return JSON.parse(row.body) as WebhookBody;
}

/**
 * Omits the secrets.
 *
 * @param markedAtMs the mark of a failing webhook
 */
export function shownWebhook(
  webhookId: string,
  environment: Environment,
  body: WebhookBody,
  markedAtMs?: number,
): Webhook {
  const { name, url, events, isActive, deactivated, createdBy, createdAtMs, activeSinceMs } = body;
  return {
    webhookId,
    name,
    url,
    events,
    isActive,
    ...(deactivated && { deactivatedAtMs: deactivated.atMs, deactivatedBecause: deactivated.because }),
    ...(markedAtMs !== undefined && { failingSinceMs: Math.max(markedAtMs, activeSinceMs) }),
    environment,
    createdBy,
    createdAtMs,
  };
}

/**
 * Activates or deactivates a webhook. One that is already inactive keeps the time and reason of its deactivation. Pure.
 */
export function withActivity(
  { deactivated, ...body }: WebhookBody,
  isActive: boolean,
  deactivating: DeactivatedWebhook,
): WebhookBody {
  if (isActive) return { ...body, isActive };
  return { ...body, isActive, deactivated: (body.isActive ? undefined : deactivated) ?? deactivating };
}

/** Whether earlier failures stop counting: the webhook was activated, or its address was changed. */
export function startsAgain(
  before: WebhookBody,
  { url, isActive }: { readonly url: string | undefined; readonly isActive: boolean | undefined },
): boolean {
  return (isActive === true && !before.isActive) || (url !== undefined && url !== before.url);
}

/** An inactive webhook also subscribes: its deliveries are recorded as skipped. */
export function webhookRecord(
  workspace: string,
  environment: Environment,
  webhookId: string,
  body: WebhookBody,
): NewRecord {
  const keys = body.events.map((event) => webhookEventKey({ workspace, environment }, event));
  return {
    workspace,
    environment,
    kind: webhookKind,
    id: webhookId,
    body: JSON.stringify(body),
    uniqueKeys: [],
    keys,
  };
}

/** Encrypts and decrypts the signing secrets of one webhook. */
export interface WebhookSecrets {
  seal(secret: string): string;
  sealOld(secret: string): string;
  /** @throws ProcedoError `decryption_failed` */
  open(body: WebhookBody): string;
  /** @throws ProcedoError `decryption_failed` */
  openOld(sealed: string): string;
}

export function webhookSecrets(
  box: SecretBox,
  workspaceId: string,
  environment: Environment,
  id: string,
): WebhookSecrets {
  const place = (field: string): SecretPlace => ({ workspaceId, environment, kind: webhookKind, id, field });
  return {
    seal: (secret) => box.seal(secret, place("secret")),
    sealOld: (secret) => box.seal(secret, place("oldSecret")),
    open: ({ secret }) => box.open(secret, place("secret")),
    openOld: (sealed) => box.open(sealed, place("oldSecret")),
  };
}

export function newWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(32)).toString("base64url")}`;
}
