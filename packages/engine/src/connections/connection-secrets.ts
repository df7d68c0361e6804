import type { Environment } from "@procedo/contract";
import type { Secrets } from "../integrations/secrets-by-name.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { connectionKind } from "./connection-record.ts";

/** Encrypts and decrypts the secrets of one connection. */
export interface ConnectionSecrets {
  seal(secrets: Secrets): Secrets;
  /** @throws ProcedoError `decryption_failed` */
  open(sealed: Secrets): Secrets;
}

export function connectionSecrets(
  box: SecretBox,
  workspaceId: string,
  environment: Environment,
  id: string,
): ConnectionSecrets {
  const each = (secrets: Secrets, change: (secret: string, field: string) => string): Secrets =>
    Object.fromEntries(Object.entries(secrets).map(([field, secret]) => [field, change(secret, field)]));
  const placeOf = (field: string) => ({ workspaceId, environment, kind: connectionKind, id, field });
  return {
    seal: (secrets) => each(secrets, (secret, field) => box.seal(secret, placeOf(field))),
    open: (sealed) => each(sealed, (text, field) => box.open(text, placeOf(field))),
  };
}
