import { LedgerError } from "./ledger-error.ts";
import type { Store } from "./store.ts";

/** A read endpoint. */
export interface ReadRoute {
  readonly method: "GET";
  /** Path pattern; segments that begin with a colon are parameters. */
  readonly path: string;
  /** Accepted query parameters. */
  readonly query: readonly string[];
  /** Whether the endpoint needs no bearer token. */
  readonly open: boolean;
  read(store: Store, parameters: Parameters): unknown;
}

/** The endpoint that makes a payment, implemented in `make-payment.ts`. */
export interface PayRoute {
  readonly method: "POST";
  readonly path: string;
  readonly query: readonly string[];
  readonly open: boolean;
}

export type Route = ReadRoute | PayRoute;

/** Values of the path and query parameters; undefined if missing. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** The name of a route in behaviours, such as `GET /vendors/:id`. */
export function routeName(route: Route): string {
  return `${route.method} ${route.path}`;
}

/** All endpoints except `/_control`. */
export function createRoutes(openApiDocument: () => unknown): readonly Route[] {
  const get = (path: string, read: ReadRoute["read"], query: readonly string[] = []): ReadRoute => {
    return { method: "GET", path, query, open: false, read };
  };
  return [
    get("/vendors", (store) => ({ data: store.vendors() })),
    get("/vendors/:id", (store, { id }) => found("vendor", id, (wanted) => store.vendor(wanted))),
    get("/invoices", (store, { vendorId }) => ({ data: store.invoices(vendorId) }), ["vendorId"]),
    get("/invoices/:id", (store, { id }) => found("invoice", id, (wanted) => store.invoice(wanted))),
    { method: "POST", path: "/payments", query: [], open: false },
    get("/payments", (store) => ({ data: store.payments() })),
    get("/payments/:id", (store, { id }) => found("payment", id, (wanted) => store.payment(wanted))),
    get("/events", (store, { from, to }) => ({ data: store.events({ from, to }) }), ["from", "to"]),
    { ...get("/openapi.json", openApiDocument), open: true },
  ];
}

/** The result of routing a request. */
export type RouteMatch =
  | { readonly kind: "route"; readonly route: Route; readonly parameters: Parameters }
  | { readonly kind: "other_method"; readonly allowed: readonly string[] }
  | { readonly kind: "none" };

/** Finds the route of a path without query. Segments are compared as sent: `/vendors/../payments` matches no route. */
export function matchRoute(routes: readonly Route[], method: string, path: string): RouteMatch {
  const matches = routes.flatMap((route) => {
    const parameters = matchPath(route.path, path);
    return parameters ? [{ route, parameters }] : [];
  });
  const match = matches.find(({ route }) => route.method === method);
  if (match) return { kind: "route", ...match };
  return matches.length > 0
    ? { kind: "other_method", allowed: matches.map(({ route }) => route.method) }
    : { kind: "none" };
}

/**
 * Reads a query string.
 *
 * @throws {LedgerError} `malformed_request` for an unknown or duplicate parameter.
 */
export function readQuery(route: Route, query: string): Parameters {
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (!route.query.includes(name))
      throw new LedgerError("malformed_request", `${routeName(route)} has no query parameter "${name}".`);
    if (given.getAll(name).length > 1)
      throw new LedgerError("malformed_request", `The query parameter "${name}" was given twice. Give it once.`);
  }
  return Object.fromEntries(given);
}

function matchPath(template: string, path: string): Parameters | undefined {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? "";
    if (!segment.startsWith(":")) {
      if (segment !== value) return undefined;
      continue;
    }
    const decoded = decodeSegment(value);
    if (!decoded) return undefined;
    parameters[segment.slice(1)] = decoded;
  }
  return parameters;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function found<T>(kind: string, id: string | undefined, find: (id: string) => T | undefined): T {
  const item = id === undefined ? undefined : find(id);
  if (item === undefined) throw new LedgerError("not_found", `There is no ${kind} "${id}".`);
  return item;
}
