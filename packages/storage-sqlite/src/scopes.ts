import type { DatabaseSync } from "node:sqlite";
import type { Environment } from "@procedo/contract";
import { environments } from "@procedo/contract";
import type { Scope } from "@procedo/storage";
import { prepare } from "./statement.ts";

/** The numbers by which rows refer to their scopes. */
export interface Scopes {
  /** `undefined` when the scope has no data. */
  find(scope: Scope): number | undefined;

  /** The scopes of a workspace that have data: at most two. */
  ofWorkspace(workspace: string): readonly number[];

  /** Returns the number of the scope and stores it if it is new. Must be called within a write. */
  intern(scope: Scope): number;

  get(number: number): Scope;

  /** Must be called after a rollback, which may have undone an `intern`. */
  forget(): void;
}

export function createScopes(db: DatabaseSync): Scopes {
  const select = prepare<{ scope: number }>(db, "SELECT scope FROM scopes WHERE workspace = ? AND environment = ?");
  const selectByNumber = prepare<Scope>(db, "SELECT workspace, environment FROM scopes WHERE scope = ?");
  const insert = prepare(db, "INSERT INTO scopes (workspace, environment) VALUES (?, ?)");

  const numbers: { readonly [environment in Environment]: Map<string, number> } = {
    sandbox: new Map(),
    live: new Map(),
  };
  const scopes = new Map<number, Scope>();

  function remember(scope: Scope, number: number): number {
    numbers[scope.environment].set(scope.workspace, number);
    scopes.set(number, { workspace: scope.workspace, environment: scope.environment });
    return number;
  }

  function find(scope: Scope): number | undefined {
    const known = numbers[scope.environment].get(scope.workspace);
    if (known !== undefined) return known;
    const stored = select.get(scope.workspace, scope.environment);
    return stored === undefined ? undefined : remember(scope, stored.scope);
  }

  return {
    find,

    ofWorkspace: (workspace) =>
      environments.map((environment) => find({ workspace, environment })).filter((number) => number !== undefined),

    intern(scope) {
      return find(scope) ?? remember(scope, Number(insert.run(scope.workspace, scope.environment).lastInsertRowid));
    },

    get(number) {
      const known = scopes.get(number);
      if (known !== undefined) return known;
      const stored = selectByNumber.get(number);
      if (stored === undefined) throw new Error(`Scope ${number} is missing although rows refer to it.`);
      remember(stored, number);
      return stored;
    },

    forget() {
      numbers.sandbox.clear();
      numbers.live.clear();
      scopes.clear();
    },
  };
}
