import { normalName } from "@procedo/contract";
import { cutPage, decodeCursor, type Page, type PageRequest, type RecordStore } from "@procedo/storage";
import { administersAll } from "./access-roles.ts";
import { personKind, personRow, uniqueKeyOf, type Identity, type Joined, type PersonRow } from "./person-record.ts";

/** Reads people. */
export interface Roster {
  byId(personId: string): Promise<PersonRow | undefined>;
  byEmail(email: string): Promise<PersonRow | undefined>;
  /** By the digest of an invitation's token. */
  byInvitation(digest: string): Promise<PersonRow | undefined>;
  byIdentity(identity: Identity): Promise<PersonRow | undefined>;
  /** The invitation of the first owner, if one was made. */
  setUp(): Promise<PersonRow | undefined>;
  /** The person with this name in records, if they have joined. */
  joined(name: string): Promise<(Joined & { readonly personId: string }) | undefined>;
  /** One page of what `pick` returns for each person; people for whom it returns `undefined` are left out. */
  page<T>(request: PageRequest & { readonly list: string }, pick: (row: PersonRow) => T | undefined): Promise<Page<T>>;
  /** Everybody, in no promised order. */
  all(): AsyncGenerator<PersonRow, void, undefined>;
  /** Whether an active person other than `personId` is an owner in both environments. */
  hasOwner(otherThan?: string): Promise<boolean>;
  /** Whether a person has ever joined. */
  hasPeople(): Promise<boolean>;
}

/** Number of records that are read at once. */
const batch = 200;

export function createRoster(records: Pick<RecordStore, "get" | "find" | "list">, workspace: string): Roster {
  let hadPeople = false;

  const find = async (uniqueKey: string): Promise<PersonRow | undefined> => {
    const row = await records.find({ kind: personKind, uniqueKey });
    return row?.workspace === workspace ? personRow(row) : undefined;
  };

  async function* from(after?: string): AsyncGenerator<PersonRow, void, undefined> {
    for (let last = after; ;) {
      const place = { workspace, kind: personKind, limit: batch };
      const { items } = await records.list(last === undefined ? place : { ...place, after: last });
      for (const row of items) yield personRow(row);
      last = items.at(-1)?.id;
      if (items.length < batch || last === undefined) return;
    }
  }

  const some = async (isWanted: (row: PersonRow) => boolean): Promise<boolean> => {
    for await (const row of from()) if (isWanted(row)) return true;
    return false;
  };

  return {
    byId: async (personId) => {
      const row = await records.get({ workspace, kind: personKind, id: personId });
      return row && personRow(row);
    },
    byEmail: (email) => find(uniqueKeyOf.email(workspace, normalName(email))),
    byInvitation: (digest) => find(uniqueKeyOf.invitation(digest)),
    byIdentity: (identity) => find(uniqueKeyOf.identity(workspace, identity)),
    setUp: () => find(uniqueKeyOf.setUp(workspace)),
    joined: async (name) => {
      const row = await find(uniqueKeyOf.email(workspace, normalName(name)));
      return row?.body.joined && { ...row.body.joined, personId: row.personId };
    },
    page: async ({ list, limit, cursor }, pick) => {
      const query = ["people", list, workspace];
      const found: { readonly id: string; readonly item: NonNullable<ReturnType<typeof pick>> }[] = [];
      for await (const row of from(decodeCursor(query, cursor, ["string"])?.[0])) {
        const item = pick(row);
        if (item !== undefined && item !== null) found.push({ id: row.personId, item });
        if (found.length > limit) break;
      }
      return cutPage(found, { query, limit, positionOf: ({ id }) => [id], itemOf: ({ item }) => item });
    },
    all: () => from(),
    hasOwner: (otherThan) => some(({ personId, body }) => personId !== otherThan && isOwner(body.joined)),
    hasPeople: async () => {
      // A person who has joined is never removed.
      hadPeople ||= await some(({ body }) => body.joined !== undefined);
      return hadPeople;
    },
  };
}

/** Whether the person administers the workspace now. */
export function isOwner(person: Joined | undefined): boolean {
  return person?.isActive === true && administersAll(person.access);
}
