import { apiKeyPrefixes, type Environment, type Permission } from "@procedo/contract";

/** A key as it is shown: never the raw one. */
export interface ApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly environment: Environment;
  /** What the raw key begins with. */
  readonly prefix: (typeof apiKeyPrefixes)[Environment];
  /** What the key may do beside reading. */
  readonly permissions: readonly Permission[];
  /** Whom the key counts as. */
  readonly person: string;
  readonly createdAtMs: number;
}

/** What storage keeps of a key beside its hash. */
export type KeyBody = Pick<ApiKey, "name" | "permissions" | "person" | "createdAtMs">;

/** Kind of the records that keys are. */
export const keyKind = "api_key";

export function shownKey(
  keyId: string,
  environment: Environment,
  { name, permissions, person, createdAtMs }: KeyBody,
): ApiKey {
  return { keyId, name, environment, prefix: apiKeyPrefixes[environment], permissions, person, createdAtMs };
}
