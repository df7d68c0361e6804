import { ProcedoError, type DocumentProblem, type JsonObject } from "@procedo/contract";
import type {
  Action,
  ActionChanges,
  DocumentedConnection,
  DocumentedIntegration,
  Integration,
  PreparedConnection,
  Secrets,
} from "../integrations/integration.ts";
import { advised, advising, otherWayIn } from "../egress/advice.ts";
import { guardedFetch, type GuardedFetch } from "../egress/guarded-fetch.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { Egress } from "../egress/egress.ts";
import { whileOutside, type Outside } from "../egress/outside.ts";
import type { Lock, Mutex } from "./mutex.ts";

export interface AcceptPorts {
  readonly egress: Pick<Egress, "fetch" | "check">;
  readonly mutex: Mutex;
  readonly outside: Outside | undefined;
}

/** A connection that may be saved. */
export interface Accepted {
  readonly settings: JsonObject;
  /** Of a documented one. */
  readonly documented: AcceptedDocument | undefined;
}

export interface AcceptedDocument extends DocumentedConnection {
  readonly baseUrl: string | undefined;
  readonly unconfirmedBaseUrl: string | undefined;
  readonly problems: readonly DocumentProblem[];
  readonly actions: ReadonlyMap<string, Action>;
  /** Against what was kept before; `undefined` when nothing was. */
  readonly changes: ActionChanges | undefined;
}

/** A document may be so far away, and so large on the wire. */
const documentTimeoutMs = 20_000;
const maxDocumentBytes = 25 * 1024 * 1024;

const otherWayToDocument = "Or give the document as a text.";

/** Documents that wait to be read; whoever comes then is asked to come again. */
const maxWaiting = 16;

/**
 * Checks what a connection is to be saved with: its integration takes it, its document can be used, and its address may be
 * reached.
 *
 * @param given.before what is kept now, with the address in force
 * @throws ProcedoError `invalid_input`, `invalid_document`, `destination_not_allowed`, `overloaded`
 */
export async function acceptConnection(
  ports: AcceptPorts,
  integration: Integration,
  given: {
    readonly settings: JsonObject;
    readonly secrets: Secrets;
    readonly before: (DocumentedConnection & { readonly baseUrl: string | undefined }) | undefined;
  },
): Promise<Accepted> {
  const { settings, secrets, before } = given;
  if (integration.kind === "coded") {
    const details = integration.checkConnection(settings, secrets);
    if (details.length > 0) throw doesNotFit(integration, details);
    return { settings, documented: undefined };
  }
  const accepted = await readDocument(ports, integration, { settings, secrets, before });
  const { baseUrl } = accepted;
  if (baseUrl !== undefined && baseUrl !== before?.baseUrl) {
    await whileOutside(ports.outside, () => ports.egress.check(baseUrl)).catch(refuseUnresolved);
  }
  return { settings: accepted.settings, documented: accepted };
}

/**
 * Reads a document while it holds the mutex.
 *
 * @param given.secrets `undefined`: nothing is to be saved
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
      const fetch = releasing(lock, guardedFetch(advising(ports.egress, otherWayToDocument), limits));
      const prepared = await integration.prepare({ ...given, fetch }).catch(refuseUnfetched);
      const { connection, baseUrl, unconfirmedBaseUrl, problems, actions, changes } = readyOr(integration, prepared);
      return { ...connection, baseUrl, unconfirmedBaseUrl, problems, actions, changes };
    } finally {
      lock.release();
    }
  });
}

/** Releases the lock while a request is under way, so that other documents can be read. */
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

/** Keeps the problems as they are, for those who show them rather than refuse the request. */
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

function doesNotFit({ name }: Integration, details: readonly { path: string; message: string }[]): ProcedoError {
  const [first] = details;
  const where = first === undefined ? "" : ` ${first.path.slice(1).replaceAll("/", ".")} ${first.message}`;
  return new ProcedoError("invalid_input", `The connection does not fit "${name}":${where}`, { details });
}

/** A server that does not answer is no fault of ours: what the caller named is refused. */
function refuseUnfetched(error: unknown): never {
  if (!(error instanceof EgressError) || error.code !== "outgoing_failed") throw error;
  throw new ProcedoError("invalid_input", `The document could not be fetched. ${error.message}`, {
    details: [{ path: "/settings/spec/url", message: error.message }],
    cause: error,
  });
}

function refuseUnresolved(error: unknown): never {
  if (!(error instanceof EgressError) || error.code !== "outgoing_failed") throw advised(error, otherWayIn);
  throw new ProcedoError("destination_not_allowed", error.message, { cause: error });
}
