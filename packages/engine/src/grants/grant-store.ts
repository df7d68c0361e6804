import type { RecordStore, Storage } from "@procedo/storage";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import {
  grantKind,
  grantRecord,
  grantSecrets,
  openedGrant,
  removedBody,
  type Grant,
  type GrantBody,
  type GrantPlace,
  type Tokens,
} from "./grant-record.ts";

/** A grant to be stored, with new tokens in the clear or none. */
export interface NewGrant {
  readonly body: Omit<GrantBody, "tokens">;
  /** @defaultValue the stored ones */
  readonly tokens?: Tokens;
}

/** The grants of a workspace. A write of a revision that is not the stored one changes nothing. */
export interface GrantStore {
  read(place: GrantPlace): Promise<Grant | undefined>;
  /**
   * Replaces a grant.
   *
   * @param before the grant that was read; `undefined` if there was none
   * @param fact the entry of the workspace's chain. @defaultValue none
   * @returns the stored grant; `undefined` when another write came first
   */
  replace(place: GrantPlace, before: Grant | undefined, grant: NewGrant, fact?: AuditFact): Promise<Grant | undefined>;
  /**
   * Removes the tokens of a grant, which is then as if there was none.
   *
   * @returns what is left; `undefined` when another write came first
   */
  empty(place: GrantPlace, before: Grant, nowMs: number, fact?: AuditFact): Promise<Grant | undefined>;
  /** Removes the grant of a connection that is gone; `false` when another write came first. */
  remove(place: GrantPlace, before: Grant): Promise<boolean>;
}

export function createGrantStore(ports: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
}): GrantStore {
  const { workspace, secretBox, audit } = ports;
  const { records } = ports.storage;
  const addressOf = ({ connectionId }: GrantPlace) => ({ workspace, kind: grantKind, id: connectionId });
  const secretsOf = (place: GrantPlace) => grantSecrets(secretBox, workspace, place);

  /** @returns the new revision; `undefined` when another write came first */
  const put = async (
    place: GrantPlace,
    before: Grant | undefined,
    body: GrantBody,
    fact: AuditFact | undefined,
  ): Promise<number | undefined> => {
    const write: Parameters<RecordStore["put"]>[0] = {
      record: grantRecord(workspace, place, body),
      ifRevision: before?.revision ?? 0,
    };
    const result =
      fact === undefined
        ? await records.put(write)
        : await audit.record(fact, (entry) => records.put({ ...write, audit: entry }));
    return result.status === "stored" ? result.revision : undefined;
  };

  return {
    read: async (place) => {
      const row = await records.get(addressOf(place));
      return row?.environment === place.environment ? openedGrant(row, secretsOf(place)) : undefined;
    },
    replace: async (place, before, { body: given, tokens }, fact) => {
      const kept = before?.body.tokens ?? [];
      // The former tokens are kept once more: a service may still name them in an answer.
      const sealed =
        tokens === undefined ? kept : [secretsOf(place).seal(given.generation, tokens), ...kept.slice(0, 1)];
      const body: GrantBody = { ...given, tokens: sealed };
      const revision = await put(place, before, body, fact);
      if (revision === undefined) return undefined;
      const former = before?.secrets ?? [];
      const own = [tokens?.access, tokens?.refresh].filter((text) => text !== undefined);
      const current = tokens ?? (before?.body.generation === body.generation ? before.tokens : undefined);
      return { revision, body, tokens: current, secrets: [...own, ...former] };
    },
    empty: async (place, before, nowMs, fact) => {
      const body = removedBody(before.body, nowMs);
      const revision = await put(place, before, body, fact);
      return revision === undefined ? undefined : { revision, body, tokens: undefined, secrets: [] };
    },
    remove: async (place, { revision: ifRevision }) =>
      (await records.remove({ ...addressOf(place), ifRevision })) === "removed",
  };
}
