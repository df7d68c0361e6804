/*
 * Keys of queries. The first part is the kind that a change names, the second the environment, or "workspace" for what
 * belongs to both.
 */
import type { QueryKey } from "@tanstack/react-query";
import type { Environment } from "./models.ts";

/** A kind of thing that the stream of changes names. */
export type ChangedKind = "run" | "review" | "delivery" | "connection" | "procedure" | "webhook" | "key" | "person";

type Scope = Environment | "workspace";

/** A list of things of one kind, with its filters. */
export function listKey(kind: ChangedKind, scope: Scope, ...rest: readonly unknown[]): QueryKey {
  return [kind, scope, "list", ...rest];
}

/** One thing, or a part of it. */
export function oneKey(kind: ChangedKind, scope: Scope, id: string, ...rest: readonly unknown[]): QueryKey {
  return [kind, scope, id, ...rest];
}

/** The queries that a change makes outdated. Without an id it concerns all things of its kind. */
export function keysOfChange(
  change: { readonly kind: ChangedKind; readonly id?: string },
  environment: Environment,
): readonly QueryKey[] {
  const { kind, id } = change;
  const scopes: readonly Scope[] = [environment, "workspace"];
  const lists = scopes.flatMap((scope): readonly QueryKey[] =>
    id === undefined ? [[kind, scope]] : [listKey(kind, scope), oneKey(kind, scope, id)],
  );
  return kind === "run" || kind === "review" ? [...lists, ["summary", environment]] : lists;
}
