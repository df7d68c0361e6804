import type { Edit, Mutation } from "../mutations/mutation.ts";
import { postgresMutations } from "../mutations/postgres-mutations.ts";

/** A bug that several processes on one Postgres reveal, and the group that has to find it. */
export interface NodeMutation extends Mutation {
  readonly group:
    | "pg-server-stops"
    | "pg-node-kills"
    | "pg-paused-nodes"
    | "pg-terminated-connections"
    | "pg-lost-commits"
    | "pg-decision-storms";
  /** The size of the group that is enough. */
  readonly count: number;
}

function edit(file: string, search: string, replace: string): Edit {
  return { file: `storage-postgres/src/${file}`, search, replace };
}

/** A bug that the adapter's races have to find as well. */
function known(name: string): Mutation {
  const mutation = postgresMutations.find((one) => one.name === name);
  if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);
  return mutation;
}

/** Bugs that no other group finds come first, then those that are found fastest. */
export const nodeMutations: readonly NodeMutation[] = [
  {
    name: "calls under way are aborted when the lease ends",
    edits: [
      {
        file: "engine/src/calls/make-call.ts",
        search: `void attempt.then((result) => {
      if (givenUp) {`,
        replace: `let isOver = false;
    const look = (): void => {
      const lost = request.leaseViolation();
      if (lost !== undefined) giveUp(lost);
      else if (!isOver) clock.after(100, look);
    };
    look();
    void attempt.then((result) => {
      isOver = true;
      if (givenUp) {`,
      },
    ],
    group: "pg-server-stops",
    // The first outage alone, which is longer than the lease.
    count: 40,
  },
  {
    name: "a drain does not wait for calls under way",
    edits: [
      {
        file: "engine/src/runs/worker.ts",
        search: "await orAfter(Promise.all([drained, claimed]), drainMs);",
        replace: "await orAfter(claimed, drainMs);",
      },
    ],
    group: "pg-node-kills",
    count: 3,
  },
  {
    name: "a commit without an answer counts as done",
    edits: [
      edit(
        "postgres-commit.ts",
        `if (failureOf(error) !== "statement") throw error;`,
        `if (failureOf(error) !== "statement") return items.map(() => committed);`,
      ),
    ],
    group: "pg-lost-commits",
    // Only a lost commit reveals it, and a later commit of the run may hide it: 20 cuts may miss it.
    count: 60,
  },
  // Every third round reveals it, and the first such round ends the search.
  { ...known("a decision does not lock the run"), group: "pg-decision-storms", count: 80 },
  {
    name: "a connection that breaks ends the process",
    edits: [
      edit(
        "postgres-storage.ts",
        `checkSettings(others);
    pool.on("error", ignore);`,
        "checkSettings(others);",
      ),
    ],
    group: "pg-terminated-connections",
    // A busy machine cuts few connections a second; the first death ends the search.
    count: 60,
  },
  {
    name: "a row whose place is taken counts as committed",
    edits: [
      edit(
        "unstored-results.ts",
        "return found.row_hash === hash && found.epoch === epoch ? committed : fenced;",
        "return committed;",
      ),
    ],
    group: "pg-paused-nodes",
    count: 2,
  },
];

/** No bug: the next version, which adds to the schema as each version may. */
export const nextVersion: Mutation = {
  name: "the next version",
  edits: [
    edit(
      "postgres-storage.ts",
      "migrate(connections, schema, migrations,",
      `migrate(connections, schema, [...migrations, {
        name: "next version",
        sql: "ALTER TABLE runs ADD COLUMN note text; CREATE TABLE notes (run_id text, note text);" +
          "CREATE INDEX runs_by_note ON runs (note) WHERE note IS NOT NULL",
      }],`,
    ),
  ],
};

/** The modules to load into a process before the product, so that these edits are applied. */
export function preloadOf({ name }: Mutation): readonly string[] {
  return [`${import.meta.resolve("./mutated-member.ts")}?mutation=${encodeURIComponent(name)}`];
}
