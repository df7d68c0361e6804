import type { Environment, EventName } from "@procedo/contract";
import { webhookEventKey, type NewRecord, type RecordRow } from "@procedo/storage";
import type { Random } from "../ports/random.ts";
import type { SecretBox, SecretPlace } from "../secrets/secret-box.ts";

/** A receiver of events. */
export interface Webhook {
  readonly webhookId: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly isActive: boolean;
  readonly environment: Environment;
  readonly createdAtMs: number;
}

/** A webhook as storage has it. */
export interface WebhookBody extends Omit<Webhook, "webhookId" | "environment"> {
  /** Encrypted. */
  readonly secret: string;
  /** The secret before the last rotation; signs beside the new one until then. */
  readonly oldSecret?: { readonly secret: string; readonly expiresAtMs: number };
  /** When it was last switched on or moved: failures from before do not count against it. */
  readonly activeSinceMs: number;
}

/** Before deliveries were sent, a webhook was written without `activeSinceMs`. */
type StoredBody = Omit<WebhookBody, "activeSinceMs"> & Partial<Pick<WebhookBody, "activeSinceMs">>;

export const webhookKind = "webhook";

export function webhookBody(row: RecordRow): WebhookBody {
  const body = JSON.parse(row.body) as StoredBody;
  return { ...body, activeSinceMs: body.activeSinceMs ?? body.createdAtMs };
}

/** Without its secrets. */
export function shownWebhook(webhookId: string, environment: Environment, body: WebhookBody): Webhook {
  const { name, url, events, isActive, createdAtMs } = body;
  return { webhookId, name, url, events, isActive, environment, createdAtMs };
}

/** Only an active webhook subscribes: what happens while it is not is never delivered to it. */
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
    keys: body.isActive ? keys : [],
  };
}

/** How the signing secrets of one webhook are kept. */
export interface WebhookSecrets {
  seal(secret: string): string;
  sealOld(secret: string): string;
  /** @throws ProcedoError `secret_unreadable` */
  open(body: WebhookBody): string;
  /** @throws ProcedoError `secret_unreadable` */
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
