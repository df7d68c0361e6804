import { apiKeyPrefixes, normalName, type Environment, type Permission } from "@procedo/contract";

/** A key as it is shown to callers, without the raw key. */
export interface ApiKey {
  /** Identifier of the key. */
  readonly keyId: string;
  /** Label for people. */
  readonly name: string;
  /** The environment that the key reaches. */
  readonly environment: Environment;
  /** Prefix of the raw key. */
  readonly prefix: (typeof apiKeyPrefixes)[Environment];
  /** Permissions beyond reading. */
  readonly permissions: readonly Permission[];
  /** Roles in which the key decides reviews: `reviewer` if it has the permission `review`, and its own roles. */
  readonly roles: readonly string[];
  /** The person that the key acts as. */
  readonly person: string;
  /** The person who created it. */
  readonly createdBy: string;
  /** Time of its creation, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /**
   * Time of the last request with the key, in milliseconds since the epoch. Left out before the first. It is written
   * within a minute of the request; a process that crashes loses the uses of its last minute.
   */
  readonly lastUsedAtMs?: number;
  /** Network address of the sender of that request. Left out if it is not known. */
  readonly lastUsedFrom?: string;
}

/** The stored form of a key, apart from its digest. */
export interface KeyBody extends Pick<ApiKey, "name" | "permissions" | "person" | "createdBy" | "createdAtMs"> {
  /** The key's own roles; left out when it has none. */
  readonly roles?: readonly string[];
}

/** Record kind of keys. */
export const keyKind = "api_key";

export function shownKey(keyId: string, environment: Environment, body: KeyBody): ApiKey {
  const { name, permissions, createdBy, createdAtMs } = body;
  const prefix = apiKeyPrefixes[environment];
  return { keyId, name, environment, prefix, permissions, ...deciderOf(body), createdBy, createdAtMs };
}

/** The person that a key acts as, and the roles in which it decides, both as normal names. */
export function deciderOf({
  person,
  permissions,
  roles = [],
}: Pick<KeyBody, "person" | "permissions" | "roles">): Pick<ApiKey, "person" | "roles"> {
  const all = permissions.includes("review") ? ["reviewer", ...roles] : roles;
  return { person: normalName(person), roles: [...new Set(all.map(normalName))] };
}
