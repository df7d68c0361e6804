import { apiKeyPrefixes, normalName, type Environment, type Permission } from "@procedo/contract";

/** A key as it is shown: never the raw one. */
export interface ApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly environment: Environment;
  /** What the raw key begins with. */
  readonly prefix: (typeof apiKeyPrefixes)[Environment];
  /** What the key may do beside reading. */
  readonly permissions: readonly Permission[];
  /** In which it decides reviews: `reviewer` with the permission `review`, and those that it was given. */
  readonly roles: readonly string[];
  /** Whom the key counts as. */
  readonly person: string;
  readonly createdAtMs: number;
}

/** What storage keeps of a key beside its hash. */
export interface KeyBody extends Pick<ApiKey, "name" | "permissions" | "person" | "createdAtMs"> {
  /** Those that it was given. Left out: none. */
  readonly roles?: readonly string[];
}

/** Kind of the records that keys are. */
export const keyKind = "api_key";

export function shownKey(keyId: string, environment: Environment, body: KeyBody): ApiKey {
  const { name, permissions, createdAtMs } = body;
  const prefix = apiKeyPrefixes[environment];
  return { keyId, name, environment, prefix, permissions, ...deciderOf(body), createdAtMs };
}

/** The person and the roles in which a key decides. The name may have any spelling in the record. */
export function deciderOf({ person, permissions, roles = [] }: KeyBody): Pick<ApiKey, "person" | "roles"> {
  const all = permissions.includes("review") ? ["reviewer", ...roles] : roles;
  return { person: normalName(person), roles: [...new Set(all.map(normalName))] };
}
