import { environments, type Environment } from "@procedo/contract";
import type { RecordRow, Storage } from "@procedo/storage";
import { webhookBody, webhookKind, webhookSecrets } from "../webhooks/webhook-record.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { SigningSecrets } from "./envelope.ts";

/** A webhook as the sender needs it. */
export interface Receiver {
  readonly url: string;
  readonly isActive: boolean;
  /** `undefined` for an active webhook. */
  readonly deactivatedBecause: string | undefined;
  readonly activeSinceMs: number;
  /** Decrypted on first use. @throws ProcedoError `decryption_failed` */
  readonly secrets: () => SigningSecrets;
}

/** Webhooks by id. Each is kept until it changes, and its secrets are decrypted once per revision. */
export interface Receivers {
  /**
   * `undefined` when the webhook was removed.
   *
   * @throws ProcedoError `storage_unavailable`
   */
  get(environment: Environment, webhookId: string): Promise<Receiver | undefined>;
  /** Makes the next `get` of this webhook read it again; without an id, the next `get` of every webhook. */
  forget(webhookId?: string): void;
}

interface OpenedReceiver {
  readonly revision: number;
  readonly receiver: Receiver;
}

export function createReceivers(ports: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly secretBox: SecretBox;
}): Receivers {
  const { storage, workspace, secretBox } = ports;
  const opened = new Map<string, OpenedReceiver>();
  /** By webhook and requested environment. */
  const read = new Map<string, Promise<Receiver | undefined>>();
  const keyOf = (environment: Environment, webhookId: string): string => `${environment}/${webhookId}`;

  const open = (row: RecordRow, environment: Environment): Receiver => {
    const known = opened.get(row.id);
    if (known?.revision === row.revision) return known.receiver;
    const body = webhookBody(row);
    const { url, isActive, deactivated, activeSinceMs, oldSecret } = body;
    const sealed = webhookSecrets(secretBox, workspace, environment, row.id);
    let secrets: SigningSecrets | undefined;
    const openSecrets = (): SigningSecrets => {
      const old = oldSecret && { secret: sealed.openOld(oldSecret.secret), expiresAtMs: oldSecret.expiresAtMs };
      return { secret: sealed.open(body), old };
    };
    const receiver = {
      url,
      isActive,
      deactivatedBecause: deactivated?.because,
      activeSinceMs,
      secrets: () => (secrets ??= openSecrets()),
    };
    opened.set(row.id, { revision: row.revision, receiver });
    return receiver;
  };

  const load = async (environment: Environment, webhookId: string): Promise<Receiver | undefined> => {
    const row = await storage.records.get({ workspace, kind: webhookKind, id: webhookId });
    if (row?.environment === environment) return open(row, environment);
    opened.delete(webhookId);
    return undefined;
  };

  return {
    get: (environment, webhookId) => {
      const key = keyOf(environment, webhookId);
      const known = read.get(key);
      if (known !== undefined) return known;
      const loading = load(environment, webhookId);
      read.set(key, loading);
      // A webhook that could not be read is read again the next time.
      loading.catch(() => read.delete(key));
      return loading;
    },
    forget: (webhookId) => {
      if (webhookId === undefined) read.clear();
      else for (const environment of environments) read.delete(keyOf(environment, webhookId));
    },
  };
}
