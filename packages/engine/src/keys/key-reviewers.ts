import type { Environment } from "@procedo/contract";
import type { RecordStore } from "@procedo/storage";
import { deciderOf, keyKind, type ApiKey, type KeyBody } from "./key-record.ts";

/** A person who can decide reviews through the API, with the roles of all their keys in one environment. */
export type KeyReviewer = Pick<ApiKey, "person" | "roles">;

/** The people whose keys have the permission `review`, in each environment. */
export type KeyReviewers = Readonly<Record<Environment, readonly KeyReviewer[]>>;

const pageSize = 100;

/** Maximum number of keys that are read, because each publication and each saved draft reads them. */
const maxKeys = 1_000;

/**
 * The people who can currently decide reviews through the API; `undefined` when the workspace has no keys or more than
 * 1,000.
 */
export async function keyReviewers(
  records: Pick<RecordStore, "list">,
  workspace: string,
): Promise<KeyReviewers | undefined> {
  const roles: Readonly<Record<Environment, Map<string, Set<string>>>> = { sandbox: new Map(), live: new Map() };
  let count = 0;
  for (let cursor: string | undefined; ;) {
    const page = { workspace, kind: keyKind, limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const { items, nextCursor } = await records.list(page);
    count += items.length;
    for (const { environment, body } of items) {
      const key = JSON.parse(body) as KeyBody;
      if (environment === undefined || !key.permissions.includes("review")) continue;
      const decider = deciderOf(key);
      const known = roles[environment].get(decider.person) ?? new Set<string>();
      for (const role of decider.roles) known.add(role);
      roles[environment].set(decider.person, known);
    }
    if (nextCursor === undefined) break;
    if (count >= maxKeys) return undefined;
    cursor = nextCursor;
  }
  const listed = (environment: Environment): readonly KeyReviewer[] =>
    [...roles[environment]].map(([person, held]) => ({ person, roles: [...held] }));
  return count > 0 ? { sandbox: listed("sandbox"), live: listed("live") } : undefined;
}
