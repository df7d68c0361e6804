import { isDeepStrictEqual } from "node:util";
import { ProcedoError, type DocumentProblem, type Environment, type JsonObject } from "@procedo/contract";
import type {
  Action,
  ActionChanges,
  DocumentedConnection,
  DocumentedIntegration,
  Integration,
  PreparedConnection,
} from "../integrations/integration.ts";
import type { Secrets } from "../integrations/secrets-by-name.ts";
import { advised, advising, usePrivateConnection } from "../egress/advice.ts";
import { guardedFetch, type GuardedFetch } from "../egress/guarded-fetch.ts";
import { EgressError } from "../egress/egress-error.ts";
import { checkOAuthClient } from "../integrations/oauth-client.ts";
import type { Egress } from "../egress/egress.ts";
import { whileOutside, type Outside } from "../egress/outside.ts";
import type { Lock, Mutex } from "./mutex.ts";

export interface AcceptPorts {
  readonly egress: Pick<Egress, "fetch" | "connect" | "check">;
  readonly mutex: Mutex;
  readonly outside: Outside | undefined;
}

/** The stored connection that an update changes. A coded integration has neither document nor base URL. */
interface StoredConnection {
  readonly settings: JsonObject;
  readonly document: string | undefined;
  readonly baseUrl: string | undefined;
}

/** A connection that passed all checks and may be saved. */
export interface Accepted {
  readonly settings: JsonObject;
  /** `undefined` for a coded integration. */
  readonly documented: AcceptedDocument | undefined;
}

export interface AcceptedDocument extends DocumentedConnection {
  readonly baseUrl: string | undefined;
  readonly unconfirmedBaseUrl: string | undefined;
  readonly problems: readonly DocumentProblem[];
  readonly actions: ReadonlyMap<string, Action>;
  /** Compared with the stored connection; `undefined` for a new one. */
  readonly changes: ActionChanges | undefined;
}

/** Limits on fetching a document: its duration, and its size on the wire. */
const documentTimeoutMs = 20_000;
const maxDocumentBytes = 25 * 1024 * 1024;

const documentAsText = "Or send the document as text.";

/** Number of requests of one environment that may wait for the mutex; further ones are refused with `overloaded`. */
const maxWaiting = 16;

/**
 * Checks a connection before it is saved: its integration accepts the settings and secrets, they are of its environment,
 * its document is usable, and its address may be reached.
 *
 * @param given.before the stored connection, for an update
 * @throws ProcedoError `invalid_input`, `credentials_of_other_environment`, `invalid_document`,
 *   `destination_not_allowed`, `overloaded`
 */
export async function acceptConnection(
  ports: AcceptPorts,
  integration: Integration,
  given: {
    readonly environment: Environment;
    readonly settings: JsonObject;
    readonly secrets: Secrets;
    readonly before: StoredConnection | undefined;
  },
): Promise<Accepted> {
  const { environment, settings, secrets, before } = given;
  if (integration.kind === "coded") {
    const details = integration.checkConnection(settings, secrets);
    if (details.length > 0) throw doesNotFit(integration, details);
    const whole = integration.withDefaults?.(settings) ?? settings;
    const credentialsOf = integration.environmentOf?.(whole, secrets) ?? environment;
    if (credentialsOf !== environment) throw ofOtherEnvironment(integration, credentialsOf, environment);
    const destination = integration.destinationOf?.(whole);
    const known = before === undefined ? undefined : integration.destinationOf?.(before.settings);
    if (!isDeepStrictEqual(destination, known)) await checkDestination(ports, destination);
    await checkOAuth(ports, integration, environment, whole, secrets);
    return { settings: whole, documented: undefined };
  }
  const { document } = before ?? {};
  const accepted = await readDocument(ports, integration, {
    settings,
    secrets,
    before: before === undefined || document === undefined ? undefined : { settings: before.settings, document },
  });
  if (accepted.baseUrl !== before?.baseUrl) await checkDestination(ports, accepted.baseUrl);
  await checkOAuth(ports, integration, environment, accepted.settings, secrets);
  return { settings: accepted.settings, documented: accepted };
}

/** @throws ProcedoError `destination_not_allowed` */
async function checkDestination(
  { egress, outside }: AcceptPorts,
  destination: Parameters<Egress["check"]>[0] | undefined,
): Promise<void> {
  if (destination === undefined) return;
  await whileOutside(outside, () => egress.check(destination)).catch(refuseUnresolved);
}

/** Checks the addresses of a connection's authorization server. */
async function checkOAuth(
  ports: AcceptPorts,
  { oauth }: Integration,
  environment: Environment,
  settings: JsonObject,
  secrets: Secrets,
): Promise<void> {
  const client = oauth?.({ environment, settings, secrets });
  if (client === undefined) return;
  checkOAuthClient(client);
  await checkDestination(ports, client.tokenUrl);
}

/**
 * Fetches and reads a document. It holds the mutex except during requests.
 *
 * @param given.secrets `undefined` for a preview
 * @throws ProcedoError as {@link acceptConnection}
 */
export async function readDocument(
  ports: AcceptPorts,
  integration: DocumentedIntegration,
  given: {
    readonly settings: JsonObject;
    readonly secrets: Secrets | undefined;
    readonly before: DocumentedConnection | undefined;
  },
): Promise<AcceptedDocument> {
  return await whileOutside(ports.outside, async () => {
    const lock = await ports.mutex.acquire(maxWaiting);
    try {
      const limits = { timeoutMs: documentTimeoutMs, maxResponseBytes: maxDocumentBytes };
      const fetch = releasing(lock, guardedFetch(advising(ports.egress, documentAsText), limits));
      const prepared = await integration.prepare({ ...given, fetch }).catch(refuseUnfetched);
      const { connection, baseUrl, unconfirmedBaseUrl, problems, actions, changes } = readyOr(integration, prepared);
      return { ...connection, baseUrl, unconfirmedBaseUrl, problems, actions, changes };
    } finally {
      lock.release();
    }
  });
}

/** A fetch that releases the lock during each request, so that other documents can be read. */
export function releasing(lock: Lock, fetch: GuardedFetch): GuardedFetch {
  return async (input, init) => {
    lock.release();
    try {
      return await fetch(input, init);
    } finally {
      await lock.reacquire();
    }
  };
}

function readyOr(
  integration: Integration,
  prepared: PreparedConnection,
): Extract<PreparedConnection, { status: "ready" }> {
  switch (prepared.status) {
    case "ready":
      return prepared;
    case "invalid":
      throw doesNotFit(integration, prepared.details);
    case "refused":
      throw new RefusedDocument(prepared.problems);
  }
}

/** The error of a refused document. It carries the original problems, so that a preview can show them. */
export class RefusedDocument extends ProcedoError {
  readonly problems: readonly DocumentProblem[];

  constructor(problems: readonly DocumentProblem[]) {
    const errors = problems.filter(({ severity }) => severity === "error");
    const count = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
    const details = errors.map((problem) => ({ path: problem.path, message: placed(problem) }));
    super("invalid_document", `The document cannot be used: ${count}. The first: ${details[0]?.message ?? ""}`, {
      details,
    });
    this.problems = problems;
  }
}

function placed({ message, line, column }: DocumentProblem): string {
  if (line === undefined) return message;
  return `${message} (line ${line}${column === undefined ? "" : `, column ${column}`})`;
}

function ofOtherEnvironment({ title }: Integration, found: Environment, wanted: Environment): ProcedoError {
  const message =
    `The credentials are those of ${title} in ${found}, and the connection belongs to ${wanted}. ` +
    `Give credentials of ${wanted}, or create the connection in ${found}.`;
  return new ProcedoError("credentials_of_other_environment", message);
}

function doesNotFit({ name }: Integration, details: readonly { path: string; message: string }[]): ProcedoError {
  const [first] = details;
  const where = first === undefined ? "" : ` ${first.path.slice(1).replaceAll("/", ".")} ${first.message}`;
  return new ProcedoError("invalid_input", `The connection does not fit "${name}":${where}`, { details });
}

/** Reports an unreachable document server as invalid input, because the caller chose the address. */
function refuseUnfetched(error: unknown): never {
  if (!(error instanceof EgressError) || error.code !== "upstream_unreachable") throw error;
  throw new ProcedoError("invalid_input", `The document could not be fetched. ${error.message}`, {
    details: [{ path: "/settings/spec/url", message: error.message }],
    cause: error,
  });
}

function refuseUnresolved(error: unknown): never {
  if (!(error instanceof EgressError) || error.code !== "upstream_unreachable")
    throw advised(error, usePrivateConnection);
  throw new ProcedoError("destination_not_allowed", error.message, { cause: error });
}
