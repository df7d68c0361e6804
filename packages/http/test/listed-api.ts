/*
 * A replacement for the Custom API integration: its documents are JSON that lists the names of actions, and it makes no
 * calls. OpenAPI documents are tested in the package that reads them.
 */
import type { JsonObject } from "@procedo/contract";
import type {
  Action,
  ActionChanges,
  DocumentedIntegration,
  GivenConnection,
  PreparedConnection,
} from "@procedo/engine";

interface ListedDocument {
  readonly title: string;
  readonly server?: string;
  readonly actions: readonly string[];
}

export const documentText = (document: Partial<ListedDocument> = {}): string =>
  JSON.stringify({ title: "Ledger", server: "http://127.0.0.77:8099", actions: ["pay", "look"], ...document });

export const listedApi: DocumentedIntegration = {
  kind: "documented",
  name: "custom_api",
  title: "Listed",
  fields: { settings: { type: "object" }, secrets: [{ name: "token", isRequired: false }], authentication: [] },
  prepare,
  actions: async ({ document, settings }) => actionsOf(parsed(document)?.actions ?? [], settings["baseUrl"]),
  test: async (_connection, { secrets }) =>
    secrets["token"] === "bad" ? { ok: false, error: "It answers 401." } : { ok: true },
};

async function prepare({ settings, secrets, before, fetch }: GivenConnection): Promise<PreparedConnection> {
  const {
    spec = {},
    baseUrl: named,
    ...others
  } = settings as {
    readonly spec?: { readonly text?: unknown; readonly url?: unknown };
    readonly baseUrl?: unknown;
  };
  const { text, url } = spec;
  const details = [
    ...Object.keys(others).map((name) => ({ path: `/settings/${name}`, message: "is not known" })),
    ...Object.keys(secrets ?? {})
      .filter((name) => name !== "token")
      .map((name) => ({ path: `/secrets/${name}`, message: "is not known" })),
    ...(named === undefined || (typeof named === "string" && URL.canParse(named))
      ? []
      : [{ path: "/settings/baseUrl", message: "must be an http or https URL" }]),
    ...(typeof text === "string" || typeof url === "string" || before !== undefined
      ? []
      : [{ path: "/settings/spec", message: "must be { url } or { text }" }]),
  ];
  if (details.length > 0) return { status: "invalid", details };
  const given = typeof text === "string" ? text : typeof url === "string" ? await (await fetch(url)).text() : undefined;
  const document = given ?? before?.document ?? "";
  const read = parsed(document);
  if (read === undefined) {
    const problem = { path: "/actions", code: "invalid_document", message: "is no list", line: 1, column: 1 };
    return { status: "refused", problems: [{ severity: "error", ...problem }] };
  }
  const baseUrl = typeof named === "string" ? named : read.server;
  const kept: JsonObject = { spec: { title: read.title, version: "1" }, ...(baseUrl !== undefined && { baseUrl }) };
  return {
    status: "ready",
    connection: { settings: kept, document },
    actions: actionsOf(read.actions, baseUrl),
    changes: before && compare(parsed(before.document)?.actions ?? [], read.actions),
    problems: [],
    baseUrl,
    unconfirmedBaseUrl: undefined,
  };
}

function parsed(text: string): ListedDocument | undefined {
  try {
    const document = JSON.parse(text) as ListedDocument | null;
    return Array.isArray(document?.actions) ? document : undefined;
  } catch {
    return undefined;
  }
}

function compare(was: readonly string[], is: readonly string[]): ActionChanges {
  const [added, removed] = [is.filter((name) => !was.includes(name)), was.filter((name) => !is.includes(name))];
  return { added, changed: [], deprecated: [], renamed: [], removed };
}

const actionsOf = (names: readonly string[], baseUrl: unknown): ReadonlyMap<string, Action> =>
  new Map(names.map((name) => [name, actionOf(name, typeof baseUrl === "string" ? { baseUrl } : {})]));

function actionOf(name: string, address: { readonly baseUrl?: string }): Action {
  return {
    name,
    description: `Does ${name}.`,
    effect: "once",
    input: { type: "object" },
    output: undefined,
    revision: name,
    deprecated: name === "look",
    operation: { operationId: undefined, method: "POST", path: `/${name}`, ...address },
    timeoutMs: undefined,
    check: () => [],
    call: async () => ({
      output: { done: name },
      violations: [],
      exchange: {
        request: { method: "POST", url: `https://ledger.test/${name}`, headers: { authorization: "secret" }, body: {} },
        response: { status: 200, headers: {} },
      },
    }),
  };
}
