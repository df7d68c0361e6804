import type { Operation } from "../operation.ts";

/** The result of routing a request. */
export type Routed =
  | { readonly kind: "operation"; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  /** The path exists, but not with this method. */
  | { readonly kind: "wrong_method"; readonly allowed: readonly string[]; readonly isInbound: boolean }
  /** `isInbound`: the path would be that of an inbound operation, whose answers have no body. */
  | { readonly kind: "unknown"; readonly isInbound: boolean };

/** Finds the operation of a method and a path. */
export type Router = (method: string, path: string) => Routed;

interface Branch {
  readonly fixed: Map<string, Branch>;
  variable: Branch | undefined;
  /** By method, in the order of the operation table. */
  readonly operations: Map<string, { readonly operation: Operation; readonly names: readonly string[] }>;
}

/**
 * Finds operations segment by segment, so that the cost of a request does not grow with the table.
 *
 * @param basePath precedes the path of every operation; `""` for none
 */
export function createRouter(operations: readonly Operation[], basePath = ""): Router {
  const root = newBranch();
  for (const operation of operations) {
    let branch = root;
    const names: string[] = [];
    for (const segment of operation.path.slice(1).split("/")) {
      if (segment.startsWith(":")) {
        names.push(segment.slice(1));
        branch = branch.variable ??= newBranch();
      } else {
        const next = branch.fixed.get(segment) ?? newBranch();
        branch.fixed.set(segment, next);
        branch = next;
      }
    }
    if (branch.operations.has(operation.method))
      throw new Error(`Two operations have the route ${operation.method} ${operation.path}.`);
    branch.operations.set(operation.method, { operation, names });
  }

  return (method, path) => {
    if (!isUnder(basePath, path)) return { kind: "unknown", isInbound: false };
    const segments = path.slice(basePath.length + 1).split("/");
    const values: string[] = [];
    const branch = find(root, segments, 0, values);
    if (branch === undefined) return { kind: "unknown", isInbound: false };
    const decoded = decodeAll(values);
    if (decoded === undefined) return { kind: "unknown", isInbound: isInbound(branch) };
    const found = method === "HEAD" ? headOf(branch) : branch.operations.get(method);
    if (found === undefined) return { kind: "wrong_method", allowed: methodsOf(branch), isInbound: isInbound(branch) };
    const params: Record<string, string> = {};
    found.names.forEach((name, index) => (params[name] = decoded[index] ?? ""));
    return { kind: "operation", operation: found.operation, params };
  };
}

/** Whether a path as sent lies under a base path. */
export function isUnder(basePath: string, path: string): boolean {
  return path.startsWith(basePath) && path.charAt(basePath.length) === "/";
}

function newBranch(): Branch {
  return { fixed: new Map(), variable: undefined, operations: new Map() };
}

/** Finds the branch at which the path ends. A fixed segment takes precedence over a variable one. */
function find(branch: Branch, segments: readonly string[], at: number, values: string[]): Branch | undefined {
  const segment = segments[at];
  if (segment === undefined) return branch.operations.size === 0 ? undefined : branch;
  const fixed = branch.fixed.get(segment);
  const found = fixed && find(fixed, segments, at + 1, values);
  if (found !== undefined || branch.variable === undefined || segment === "") return found;
  values.push(segment);
  const behind = find(branch.variable, segments, at + 1, values);
  if (behind === undefined) values.pop();
  return behind;
}

function decodeAll(values: readonly string[]): readonly string[] | undefined {
  try {
    return values.map((value) => (value.includes("%") ? decodeURIComponent(value) : value));
  } catch {
    return undefined;
  }
}

function isInbound({ operations }: Branch): boolean {
  return [...operations.values()].some(({ operation }) => operation.access === "inbound");
}

function methodsOf(branch: Branch): readonly string[] {
  const methods = [...branch.operations.keys()].flatMap((method) =>
    method === "GET" && headOf(branch) !== undefined ? ["GET", "HEAD"] : [method],
  );
  return [...methods, "OPTIONS"];
}

/** Excludes operations whose `GET` uses something up, which a caller without a body would lose: calls, or a page's link. */
function headOf(branch: Branch) {
  const get = branch.operations.get("GET");
  return get === undefined || ["client", "page"].includes(get.operation.access) ? undefined : get;
}
