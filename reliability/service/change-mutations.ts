import type { Mutation } from "../mutations/mutation.ts";

/** Bugs of live changes that service-changes has to find. */
export const changeMutations: readonly Mutation[] = [
  {
    name: "the ring repeats one event too few",
    edits: [
      {
        file: "engine/src/live/live-changes.ts",
        search: "for (let index = start + (number - oldest);",
        replace: "for (let index = start + (number - oldest) + 1;",
      },
    ],
  },
  {
    name: "a place of the process before gets no resync",
    edits: [
      {
        file: "engine/src/live/live-changes.ts",
        search: "if (number === undefined || number < oldest || number > counter) return [everything];",
        replace:
          "if (number === undefined) return [];\n    if (number < oldest || number > counter) return [everything];",
      },
    ],
  },
  {
    name: "a closed review is not named",
    edits: [
      {
        file: "engine/src/live/hints.ts",
        search: 'if (entry.type === "review_closed") hub.hint({ kind: "review", id: entry.reviewId }, environment);',
        replace: "",
      },
    ],
  },
  {
    name: "a decision after which its review stays open is not named",
    edits: [
      {
        file: "engine/src/live/hints.ts",
        search: 'hub.hint({ kind: "review", id: reviewId }, environment);',
        replace: "",
      },
    ],
  },
  {
    name: "a page is told of both environments",
    edits: [
      {
        file: "engine/src/live/live-changes.ts",
        search: "return entry.environment === undefined || entry.environment === environment;",
        replace: "return entry.environment === undefined || environment !== undefined;",
      },
    ],
  },
];

/** The module that applies the bug to the service, as its process loads it. */
export function preloadOf({ name }: Mutation): readonly string[] {
  return [`${import.meta.resolve("./mutated-service.ts")}?mutation=${encodeURIComponent(name)}`];
}
