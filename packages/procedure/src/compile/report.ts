import type { Problem, ProblemCode } from "../problems.ts";
import { pointerTokens } from "@procedo/contract/syntax";

/** Collects the problems of a document, so that its author sees all of them at once. */
export interface Report {
  /** In the order in which they were found: at most {@link problemLimit} errors and as many warnings. */
  readonly problems: readonly Problem[];
  /** For each severity with more problems than are listed, a note that says so. */
  readonly unlisted: readonly Problem[];
  /** Whether further errors are no longer listed, so that the search for them can stop. */
  readonly isFull: boolean;
  /** Whether an error prevents the document from being published. */
  readonly hasErrors: boolean;
  /** Reports a value of the wrong shape. Later problems at this path, or within it, are not reported. */
  shape(path: string, message: string): void;
  /** @param offset position of the problem within the text at `path`, in characters */
  error(path: string, code: ProblemCode, message: string, offset?: number): void;
  warning(path: string, code: ProblemCode, message: string, offset?: number): void;
}

/** Maximum number of listed problems per severity and document. */
export const problemLimit = 200;

export function createReport(): Report {
  const problems: Problem[] = [];
  const unlisted: Problem[] = [];
  const counts = { error: 0, warning: 0 };
  const broken = new Set<string>();
  const known = new Set<string>();

  const add =
    (severity: Problem["severity"]) => (path: string, code: ProblemCode, message: string, offset?: number) => {
      const key = `${path} ${offset ?? ""} ${message}`;
      if (known.has(key) || isWithin(path, broken)) return;
      counts[severity] += 1;
      if (counts[severity] <= problemLimit) {
        known.add(key);
        problems.push({ severity, path, code, message, ...(offset !== undefined && { offset }) });
      }
      if (counts[severity] !== problemLimit + 1) return;
      const more = `There are more than ${problemLimit} ${severity}s; the others are not listed.`;
      unlisted.push({ severity, path: "", code, message: more });
    };
  const error = add("error");

  return {
    problems,
    unlisted,
    get isFull() {
      return counts.error > problemLimit;
    },
    get hasErrors() {
      return counts.error > 0;
    },
    error,
    shape(path, message) {
      error(path, "shape", message);
      broken.add(path);
    },
    warning: add("warning"),
  };
}

/** Whether a path is one of these, or lies within one. */
function isWithin(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false;
  for (let end = path.length; end !== -1; end = path.lastIndexOf("/", end - 1)) {
    if (places.has(path.slice(0, end))) return true;
    if (end === 0) return false;
  }
  return false;
}

/**
 * Problems in the order of their places in the document, each with the id of its node: the node that contains it, or
 * the source of the edge. A problem of the whole document comes first, and the note about unlisted problems comes last.
 */
export function placedProblems({ problems, unlisted }: Report, document: unknown): readonly Problem[] {
  const orders = new Map<object, ReadonlyMap<string, number>>();
  const orderOf = (container: object): ReadonlyMap<string, number> => {
    const order = orders.get(container) ?? new Map(Object.keys(container).map((name, index) => [name, index]));
    orders.set(container, order);
    return order;
  };
  const placeOf = (path: string): readonly number[] => {
    const place: number[] = [];
    let at: unknown = document;
    for (const token of pointerTokens(path)) {
      if (typeof at !== "object" || at === null) break;
      // A missing value sorts to the end of its container.
      place.push(orderOf(at).get(token) ?? Infinity);
      at = Object.hasOwn(at, token) ? (at as Readonly<Record<string, unknown>>)[token] : undefined;
    }
    return place;
  };
  const sorted = problems
    .map((problem) => {
      const nodeId = nodeIdAt(problem.path, document);
      return { place: placeOf(problem.path), problem: nodeId === undefined ? problem : { ...problem, nodeId } };
    })
    .sort((a, b) => comparePlaces(a.place, b.place) || (a.problem.offset ?? 0) - (b.problem.offset ?? 0))
    .map(({ problem }) => problem);
  return [...sorted, ...unlisted];
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [left = 0, right = 0] = [a[index], b[index]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}

function nodeIdAt(path: string, document: unknown): string | undefined {
  const [list, index] = pointerTokens(path);
  if (list !== "nodes" && list !== "edges") return undefined;
  const item = memberOf(memberOf(document, list), index ?? "");
  const id = memberOf(item, list === "nodes" ? "id" : "from");
  return typeof id === "string" && id !== "" && id.length <= 64 ? id : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
