/*
 * Keys of queries. The first part is the kind that a change names, the second the environment, or "workspace" for what
 * belongs to both.
 */
import type { QueryKey } from "@tanstack/react-query";
import type { Environment } from "./models.ts";

/** A kind of thing that the stream of changes names. */
export type ChangedKind =
  "run" | "review" | "delivery" | "connection" | "procedure" | "webhook" | "trigger" | "key" | "person";

type Scope = Environment | "workspace";

/** A list of things of one kind: its name, which no other query of the kind has, and its filters. */
export function listKey(kind: ChangedKind, scope: Scope, ...rest: readonly unknown[]): QueryKey {
  return [kind, scope, "list", ...rest];
}

/** One thing, or a part of it. */
export function oneKey(kind: ChangedKind, scope: Scope, id: string, ...rest: readonly unknown[]): QueryKey {
  return [kind, scope, "one", id, ...rest];
}

/** The queries that a change makes outdated. Without an id it concerns all things of its kind. */
export function keysOfChange(
  change: { readonly kind: ChangedKind; readonly id?: string },
  environment: Environment,
): readonly QueryKey[] {
  const { kind, id } = change;
  const scopes: readonly Scope[] = [environment, "workspace"];
  const own = scopes.flatMap((scope): readonly QueryKey[] =>
    id === undefined ? [[kind, scope]] : [listKey(kind, scope), oneKey(kind, scope, id)],
  );
  return [...own, ...dependentOn(kind, environment)];
}

/** What is made of things of the kind, beside themselves. */
function dependentOn(kind: ChangedKind, environment: Environment): readonly QueryKey[] {
  const summary: QueryKey = ["summary", environment];
  const audit: QueryKey = ["audit", environment];
  switch (kind) {
    case "run":
    case "review":
      // The list of procedures tells their open reviews and latest runs.
      return [summary, listKey("procedure", environment, "pages")];
    case "delivery":
      // A webhook tells whether its deliveries fail.
      return [summary, ["webhook", environment]];
    case "connection":
    case "procedure":
    case "webhook":
    case "trigger":
      return [summary, audit];
    case "key":
    case "person":
      return [audit];
  }
}
