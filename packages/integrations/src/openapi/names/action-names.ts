import { createHash } from "node:crypto";
import type { ImportProblem } from "../imported-api.ts";
import { shown, warningAt } from "../problem-list.ts";

/** Longest name of an action, in characters. */
export const maxNameLength = 256;
const maxOthersNamed = 3;

/** The only input of names. Neither the document's order nor other content affects them. */
export interface NamedOperation {
  readonly operationId: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly pointer: string;
}

export interface ActionNames {
  /** In the given order. */
  readonly names: readonly string[];
  readonly problems: readonly ImportProblem[];
}

/**
 * Names operations by their unchanged operationId, otherwise by method and path. When names collide, none of the
 * operations keeps the name, so that a new operation never takes over the name of another.
 */
export function nameActions(operations: readonly NamedOperation[]): ActionNames {
  const problems: ImportProblem[] = [];
  const wanted = operations.map((operation) => wantedName(operation, problems));
  const groups = Map.groupBy(operations.keys(), (index) => wanted[index] ?? "");
  const names = [...wanted];
  const taken = new Set(groups.keys());
  const longer = [...groups.values()].filter((group) => group.length > 1).flat();
  // Derived from method and path, which are unique.
  longer.sort((a, b) => compareText(placeOf(operations[a]), placeOf(operations[b])));
  const longerNames = Map.groupBy(longer, (index) => longerName(operations[index], wanted[index] ?? ""));
  for (const index of longer) {
    let name = longerName(operations[index], wanted[index] ?? "");
    if (taken.has(name) || (longerNames.get(name)?.length ?? 0) > 1) name = withHash(name, operations[index]);
    while (taken.has(name)) name += "_";
    taken.add(name);
    names[index] = name;
  }
  for (const [name, group] of groups) {
    if (group.length > 1) problems.push(...equalNames(name, group, operations, names));
  }
  problems.push(...namesThatDifferInCase(operations, names));
  return { names, problems };
}

function wantedName(operation: NamedOperation, problems: ImportProblem[]): string {
  const { operationId, pointer } = operation;
  if (operationId === undefined) return fitting(pathName(operation), operation);
  const fault = faultOf(operationId);
  if (fault === undefined) return operationId;
  const name = fitting(pathName(operation), operation);
  problems.push(warningAt(`${pointer}/operationId`, `${fault}; the action is named ${shown(name)}.`));
  return name;
}

function faultOf(operationId: string): string | undefined {
  if (operationId.trim() === "") return "is empty";
  if (operationId.length > maxNameLength) return `is longer than ${maxNameLength} characters`;
  return operationId.isWellFormed() ? undefined : "contains a lone surrogate, which is not a character";
}

/** `get_customers_id` for `GET /customers/{id}`. */
function pathName({ method, path }: NamedOperation): string {
  const segments = path.split("/").map((segment) => segment.replaceAll(/[{}]/g, ""));
  return [method, ...segments.filter((segment) => segment !== "")].join("_");
}

function longerName(operation: NamedOperation | undefined, name: string): string {
  if (operation === undefined) return name;
  const byPath = pathName(operation);
  return fitting(name === byPath ? name : `${name}_${byPath}`, operation, name === byPath);
}

function fitting(name: string, operation: NamedOperation, always = false): string {
  return !always && name.length <= maxNameLength ? name : withHash(name, operation);
}

function withHash(name: string, operation: NamedOperation | undefined): string {
  const digest = createHash("sha256").update(placeOf(operation)).digest("hex").slice(0, 8);
  // Never cuts a surrogate pair.
  const begin = name.slice(0, maxNameLength - 16).replace(/[\uD800-\uDBFF]$/, "");
  return `${begin}_${digest}`;
}

const placeOf = (operation: NamedOperation | undefined): string =>
  operation === undefined ? "" : `${operation.method} ${operation.path}`;

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function equalNames(
  name: string,
  group: readonly number[],
  operations: readonly NamedOperation[],
  names: readonly string[],
): ImportProblem[] {
  return group.flatMap((index) => {
    const operation = operations[index];
    if (operation === undefined) return [];
    const others = othersOf(index, group, operations);
    const message = `The name ${shown(name)} is also used by ${others}; this action is named ${shown(names[index])}. Give each operation an operationId of its own.`;
    return [warningAt(operation.pointer, message)];
  });
}

function namesThatDifferInCase(operations: readonly NamedOperation[], names: readonly string[]): ImportProblem[] {
  const groups = Map.groupBy(operations.keys(), (index) => (names[index] ?? "").toLowerCase());
  return [...groups.values()].flatMap((group) =>
    group.length === 1
      ? []
      : group.flatMap((index) => {
          const operation = operations[index];
          if (operation === undefined) return [];
          const message = `The name ${shown(names[index])} differs from that of ${othersOf(index, group, operations)} in upper and lower case only; they are two actions.`;
          return [warningAt(operation.pointer, message)];
        }),
  );
}

function othersOf(index: number, group: readonly number[], operations: readonly NamedOperation[]): string {
  const others: string[] = [];
  for (const other of group) {
    if (other === index) continue;
    if (others.length === maxOthersNamed) break;
    const { method = "", path = "", pointer = "" } = operations[other] ?? {};
    others.push(`${method.toUpperCase()} ${path} (${pointer})`);
  }
  const untold = group.length - 1 - others.length;
  return untold === 0 ? others.join(" and ") : `${others.join(", ")} and ${untold} more`;
}
