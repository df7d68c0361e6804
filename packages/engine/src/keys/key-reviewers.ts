import type { Environment } from "@procedo/contract";
import type { RecordStore } from "@procedo/storage";
import { permissionsOf, rolesIn } from "../people/access-roles.ts";
import type { Joined } from "../people/person-record.ts";
import { createRoster } from "../people/roster.ts";
import { limitedKey } from "./key-limits.ts";
import { keyKind, type ApiKey, type KeyBody } from "./key-record.ts";

/** A person who can decide reviews through the API, with the roles of their account and keys in one environment. */
export type KeyReviewer = Pick<ApiKey, "person" | "roles">;

/** The people who may decide reviews of each environment, by their account or by a key with `review`. */
export type KeyReviewers = Readonly<Record<Environment, readonly KeyReviewer[]>>;

const pageSize = 100;

/** Maximum number of keys that are read, because each publication and each saved draft reads them. */
const maxKeys = 1_000;

/**
 * The people who can currently decide reviews through the API; `undefined` when the workspace has neither keys nor
 * people, or more than 1,000 keys.
 */
export async function keyReviewers(
  records: Pick<RecordStore, "get" | "find" | "list">,
  workspace: string,
): Promise<KeyReviewers | undefined> {
  const roles: Readonly<Record<Environment, Map<string, Set<string>>>> = { sandbox: new Map(), live: new Map() };
  const add = (environment: Environment, person: string, held: readonly string[]): void => {
    const known = roles[environment].get(person) ?? new Set<string>();
    for (const role of held) known.add(role);
    roles[environment].set(person, known);
  };

  const people = new Map<string, Joined>();
  for await (const { body } of createRoster(records, workspace).all()) {
    const { email, joined } = body;
    if (email === undefined || joined === undefined) continue;
    people.set(email, joined);
    for (const environment of ["sandbox", "live"] as const) {
      const mayReview = joined.isActive && permissionsOf(joined.access[environment]).includes("review");
      if (mayReview) add(environment, email, rolesIn(joined, environment));
    }
  }

  let count = 0;
  for (let cursor: string | undefined; ;) {
    const page = { workspace, kind: keyKind, limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const { items, nextCursor } = await records.list(page);
    count += items.length;
    for (const { environment, body } of items) {
      if (environment === undefined) continue;
      const key = JSON.parse(body) as KeyBody;
      const limited = limitedKey(key, environment, people.get(key.person));
      if (limited?.permissions.includes("review") === true) add(environment, limited.person, limited.roles);
    }
    if (nextCursor === undefined) break;
    if (count >= maxKeys) return undefined;
    cursor = nextCursor;
  }
  const listed = (environment: Environment): readonly KeyReviewer[] =>
    [...roles[environment]].map(([person, held]) => ({ person, roles: [...held] }));
  return count > 0 || people.size > 0 ? { sandbox: listed("sandbox"), live: listed("live") } : undefined;
}
