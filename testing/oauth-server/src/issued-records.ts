import type { Adapter, AdapterPayload } from "oidc-provider";

/** Codes, tokens, grants and interactions that a provider issued. A process of a test holds few, so none is removed by age. */
export interface IssuedRecords {
  /** oidc-provider's storage of one kind of record. */
  readonly adapter: (kind: string) => Adapter;
  /** Removes all records of a kind. */
  remove(kind: string): void;
  /** Removes all grants of an account, with their codes and tokens. */
  removeGrantsOf(accountId: string): void;
}

/**
 * @param rules.clientOf the registered client with an id
 * @param rules.isReuseAccepted whether a refresh token stays good after it was exchanged
 */
export function createIssuedRecords(rules: {
  readonly clientOf: (id: string) => AdapterPayload | undefined;
  readonly isReuseAccepted: () => boolean;
}): IssuedRecords {
  const kinds = new Map<string, Map<string, AdapterPayload>>();
  const ofKind = (kind: string): Map<string, AdapterPayload> => {
    const known = kinds.get(kind) ?? new Map<string, AdapterPayload>();
    kinds.set(kind, known);
    return known;
  };
  const removeGrant = (grantId: string): void => {
    ofKind("Grant").delete(grantId);
    for (const records of kinds.values()) {
      for (const [id, payload] of records) if (payload.grantId === grantId) records.delete(id);
    }
  };
  return {
    adapter: (kind) => {
      const records = ofKind(kind);
      return {
        upsert: async (id, payload) => void records.set(id, payload),
        find: async (id) => (kind === "Client" ? rules.clientOf(id) : records.get(id)),
        findByUid: async (uid) => [...records.values()].find((payload) => payload.uid === uid),
        findByUserCode: async () => undefined,
        destroy: async (id) => void records.delete(id),
        consume: async (id) => {
          if (kind === "RefreshToken" && rules.isReuseAccepted()) return;
          Object.assign(records.get(id) ?? {}, { consumed: Math.floor(Date.now() / 1_000) });
        },
        revokeByGrantId: async (grantId) => removeGrant(grantId),
      };
    },
    remove: (kind) => ofKind(kind).clear(),
    removeGrantsOf: (accountId) => {
      const grants = [...ofKind("Grant")].filter(([, payload]) => payload.accountId === accountId);
      for (const [id] of grants) removeGrant(id);
    },
  };
}
