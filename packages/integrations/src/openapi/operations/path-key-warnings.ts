import type { ImportProblem } from "../imported-api.ts";
import { type ProblemSink, shown, warningAt } from "../problem-list.ts";
import { placeholderOf, queryPairs, splitPathKey } from "./path-template.ts";

/** A key of `paths` that has operations. */
export interface PathKeyPlace {
  readonly key: string;
  readonly pointer: string;
}

/**
 * Warns of keys that are more than a path, with one warning per kind and document, because a vendor may have hundreds
 * of fragments. Also warns of keys with the same address: `/a/{id}` and `/a/{name}`.
 */
export function warnOfPathKeys(places: readonly PathKeyPlace[], problems: ProblemSink): void {
  const addresses = new Map<string, string>();
  const queries = createWarning("have a query as well");
  const parameters = createWarning("have parameters in a query as well");
  const fragments = createWarning("end in a fragment as well");
  for (const { key, pointer } of places) {
    const { path, query, fragment } = splitPathKey(key);
    const address = path.replaceAll(/\{[^{}]*\}/g, "{}") + query;
    const other = addresses.get(address);
    if (other === undefined) addresses.set(address, key);
    const pairs = queryPairs(query);
    const fixed = pairs.filter((pair) => placeholderOf(pair) === undefined);
    if (fixed.length > 0) queries.add(pointer, `The path has the query ${shown(query)}; each call carries it.`);
    if (fixed.length < pairs.length) {
      parameters.add(
        pointer,
        `The path has parameters in the query ${shown(query)}; they are read as query parameters.`,
      );
    }
    if (fragment !== "") {
      const same = other === undefined ? "" : ` The address is then the same as that of ${shown(other)}.`;
      const sent = `${shown(path + query)} is sent.${same}`;
      fragments.add(pointer, `The path ends in ${shown(fragment)}, which no request carries: ${sent}`);
    } else if (other !== undefined) {
      const part =
        splitPathKey(other).path === path ? `the text after "#" differs` : "only the names of parameters differ";
      problems.push(warningAt(pointer, `is the same address as ${shown(other)}; ${part}.`));
    }
  }
  problems.push(...[queries, parameters, fragments].flatMap((warning) => warning.made()));
}

/** One warning for the first place, with the number of others. */
function createWarning(others: string): {
  add(pointer: string, message: string): void;
  made(): readonly ImportProblem[];
} {
  let first: ImportProblem | undefined;
  let more = 0;
  return {
    add(pointer, message) {
      if (first === undefined) first = warningAt(pointer, message);
      else more += 1;
    },
    made() {
      if (first === undefined) return [];
      return [more === 0 ? first : { ...first, message: `${first.message} Other paths ${others}: ${more}.` }];
    },
  };
}
