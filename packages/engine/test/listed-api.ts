/*
 * A minimal documented integration: its documents are JSON that lists actions. OpenAPI documents are tested in the
 * package that reads them.
 */
import { createHash } from "node:crypto";
import type { DocumentProblem, JsonObject } from "@procedo/contract";
import {
  ActionError,
  type Action,
  type ActionChanges,
  type ActionEffect,
  type CallContext,
  type DocumentedConnection,
  type DocumentedIntegration,
  type GivenConnection,
  type PreparedConnection,
} from "@procedo/engine";

export interface ListedAction {
  readonly name: string;
  /** `"POST /payments"` */
  readonly at: string;
  readonly effect?: ActionEffect;
  readonly deprecated?: true;
  readonly input?: JsonObject;
}

export interface ListedDocument {
  readonly server?: string;
  readonly actions: readonly ListedAction[];
}

export interface ListedApi {
  readonly integration: DocumentedIntegration;
  /** The number of times that a document was read for its actions. */
  readonly reads: () => number;
}

interface Settings {
  readonly spec: { readonly text?: string; readonly url?: string; readonly server?: string };
  readonly baseUrl?: string;
}

export const documentText = (document: ListedDocument): string => JSON.stringify(document);

export function listedApi(name = "listed"): ListedApi {
  let reads = 0;
  return {
    reads: () => reads,
    integration: {
      kind: "documented",
      name,
      title: "Listed",
      fields: { settings: { type: "object" }, secrets: [{ name: "token", isRequired: false }], authentication: [] },
      prepare: async (given) => {
        const prepared = await prepare(given);
        if (prepared.status !== "ready") return prepared;
        reads += 1;
        const { before } = given;
        const { connection } = prepared;
        return { ...prepared, actions: actionsOf(connection), changes: before && compare(before, connection) };
      },
      actions: async (connection) => {
        reads += 1;
        return actionsOf(connection);
      },
      test: async (connection, { secrets, fetch }) => {
        const { baseUrl = "" } = settingsOf(connection.settings);
        const { status } = await fetch(baseUrl, { headers: { authorization: `Bearer ${secrets["token"] ?? ""}` } });
        return status < 400 ? { ok: true } : { ok: false, error: `It answers ${status} to ${secrets["token"] ?? ""}.` };
      },
    },
  };
}

function compare(before: DocumentedConnection, after: DocumentedConnection): ActionChanges {
  const [was, is] = [listed(before), listed(after)];
  const placeOf = new Map(was.map((one) => [one.at, one.name]));
  const names = (list: readonly ListedAction[]): ReadonlySet<string> => new Set(list.map((one) => one.name));
  const renamed = is.flatMap((one) => {
    const from = placeOf.get(one.at);
    return from === undefined || from === one.name || names(was).has(one.name) ? [] : [{ from, to: one.name }];
  });
  const moved = new Set(renamed.flatMap(({ from, to }) => [from, to]));
  const both = is.flatMap((one) => {
    const before = was.find((other) => other.name === one.name);
    return before === undefined ? [] : [{ before, one }];
  });
  return {
    added: is.flatMap((one) => (names(was).has(one.name) || moved.has(one.name) ? [] : [one.name])),
    changed: both.flatMap(({ before, one }) =>
      JSON.stringify(before.input) === JSON.stringify(one.input) ? [] : [one.name],
    ),
    deprecated: both.flatMap(({ before, one }) =>
      one.deprecated === true && before.deprecated !== true ? [one.name] : [],
    ),
    renamed,
    removed: was.flatMap((one) => (names(is).has(one.name) || moved.has(one.name) ? [] : [one.name])),
  };
}

/** The settings without the parts that come from the document. */
type Prepared =
  | Exclude<PreparedConnection, { status: "ready" }>
  | Omit<Extract<PreparedConnection, { status: "ready" }>, "actions" | "changes">;

async function prepare({ settings, secrets, before, fetch }: GivenConnection): Promise<Prepared> {
  const { spec, baseUrl: named } = settingsOf(settings);
  const details = Object.keys(settings)
    .filter((setting) => setting !== "spec" && setting !== "baseUrl")
    .map((setting) => ({ path: `/settings/${setting}`, message: "is not known" }));
  if (secrets !== undefined && (secrets["token"] ?? "") === "") {
    details.push({ path: "/secrets/token", message: "is required" });
  }
  if (details.length > 0) return { status: "invalid", details };
  const text = spec.text ?? (spec.url === undefined ? before?.document : await (await fetch(spec.url)).text());
  const document = parsed(text ?? "");
  if (document === undefined) return { status: "refused", problems: [noDocument] };
  const kept = before && settingsOf(before.settings);
  const server = document.server;
  const moved =
    kept !== undefined &&
    (kept.baseUrl === undefined
      ? named === undefined
      : named === kept.baseUrl && kept.spec.server === named && server !== named);
  const baseUrl = moved ? undefined : (named ?? server);
  return {
    status: "ready",
    connection: {
      document: text ?? "",
      settings: {
        spec: { digest: digestOf(text ?? ""), ...(server !== undefined && { server }) },
        ...(baseUrl !== undefined && { baseUrl }),
      },
    },
    problems: document.actions.length === 0 ? [{ ...noDocument, severity: "warning", message: "lists nothing" }] : [],
    baseUrl,
    unconfirmedBaseUrl: moved ? server : undefined,
  };
}

const noDocument: DocumentProblem = {
  severity: "error",
  path: "/actions",
  code: "invalid_document",
  message: "is no list",
  line: 1,
  column: 2,
};

function parsed(text: string): ListedDocument | undefined {
  try {
    const document = JSON.parse(text) as ListedDocument;
    return Array.isArray(document.actions) ? document : undefined;
  } catch {
    return undefined;
  }
}

const settingsOf = (settings: JsonObject): Settings => settings as unknown as Settings;
const listed = ({ document }: DocumentedConnection): readonly ListedAction[] => parsed(document)?.actions ?? [];

function actionsOf(connection: DocumentedConnection): ReadonlyMap<string, Action> {
  const { baseUrl } = settingsOf(connection.settings);
  return new Map(listed(connection).map((one) => [one.name, actionOf(one, baseUrl)]));
}

function actionOf(listed: ListedAction, baseUrl: string | undefined): Action {
  const { name, at, effect = "once", input = { type: "object" } } = listed;
  const [method = "", path = ""] = at.split(" ");
  return {
    name,
    description: `Does ${name}.`,
    effect,
    input,
    output: undefined,
    revision: digestOf(JSON.stringify([name, at, effect, input, baseUrl ?? null])),
    deprecated: listed.deprecated === true,
    operation: { operationId: name, method, path },
    timeoutMs: undefined,
    check: () => [],
    call: (args, context) => call({ method, url: `${baseUrl ?? ""}${path}`, args }, context),
  };
}

async function call(
  { method, url, args }: { readonly method: string; readonly url: string; readonly args: JsonObject },
  { secrets, fetch }: CallContext,
) {
  const headers = { authorization: `Bearer ${secrets["token"] ?? ""}`, "x-region": "eu" };
  const hasBody = method !== "GET";
  const request = { method, url, headers, ...(hasBody && { body: args }) };
  const answer = await fetch(url, { method, headers, ...(hasBody && { body: JSON.stringify(args) }) });
  const response = { status: answer.status, headers: Object.fromEntries(answer.headers) };
  const text = await answer.text();
  if (!answer.ok) {
    throw new ActionError(`It answered ${answer.status}.`, {
      retryable: answer.status >= 500,
      exchange: { request, response: { ...response, body: text } },
    });
  }
  return { output: text, violations: [], exchange: { request, response } };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
