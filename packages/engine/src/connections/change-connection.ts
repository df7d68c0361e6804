import { ProcedoError, type Environment, type JsonObject, type JsonValue } from "@procedo/contract";
import type { RecordRow, Storage } from "@procedo/storage";
import { actor, authorize, refuseRevoked, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { ActionChanges, Integration } from "../integrations/integration.ts";
import { newInboundAddress } from "../integrations/inbound-address.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { ConnectionUse, ConnectionUses } from "./connection-uses.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { acceptConnection, type Accepted, type AcceptPorts } from "./accept-connection.ts";
import type { ConnectionDocuments } from "./connection-documents.ts";
import {
  checkConnectionName,
  connectionBody,
  connectionRecord,
  environmentsOf,
  nameTaken,
  type Connection,
  type ConnectionBody,
  type ConnectionPlace,
  type SavedConnection,
} from "./connection-record.ts";
import { assertUnused } from "./connection-in-use.ts";
import { connectionSecrets } from "./connection-secrets.ts";
import type { DocumentedActions } from "./documented-actions.ts";
import { formerNamesAfter, keepVersion, keyOf } from "./kept-versions.ts";
import { versionOf } from "./resolve-connection.ts";

/** An update of a connection. Fields that are given replace the stored ones; the others do not change. */
export interface ConnectionUpdate extends ConnectionPlace {
  /** New name of the connection, unique in its environment. @defaultValue unchanged */
  readonly name?: string;
  /** By name; `null` removes a setting. */
  readonly settings?: JsonObject;
  /** By name; `null` removes a secret. */
  readonly secrets?: { readonly [name: string]: string | null };
  /** Renames the connection even while published versions call it by its old name. @defaultValue false */
  readonly force?: boolean;
  /** The person or key that changes the connection. */
  readonly by: Principal;
}

/** A connection after an update, with the changes of its actions. */
export interface ChangedConnection extends SavedConnection {
  /** `undefined` when its actions did not change. */
  readonly changes:
    | (ActionChanges & {
        /** The published versions and drafts whose tool calls name a changed action. */
        readonly usedBy: readonly ConnectionUse[];
      })
    | undefined;
}

export interface ChangePorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly uses: ConnectionUses;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "bytes">;
  readonly accepting: AcceptPorts;
  readonly documents: ConnectionDocuments;
  readonly documented: DocumentedActions;
  find(place: ConnectionPlace): Promise<RecordRow>;
  integrationOf(name: string): Integration;
  show(place: ConnectionPlace, body: ConnectionBody): Promise<Connection>;
}

/** Attempts against concurrent changes of the connection. */
const maxTries = 5;

/** See `Connections.update`. */
export async function changeConnection(ports: ChangePorts, update: ConnectionUpdate): Promise<ChangedConnection> {
  const { environment, connectionId, by, name, settings, secrets } = update;
  authorize(by, "manage", environment);
  if (name !== undefined) checkConnectionName(name);
  const place = { environment, connectionId };
  const changed = Object.entries({ name, settings, secrets }).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await ports.find(place);
    const before = connectionBody(row);
    if (before.tokens !== undefined) checkPrivateChange(update);
    const isRenamed = name !== undefined && name !== before.name;
    if (changed.length === 0 || (before.tokens !== undefined && !isRenamed)) {
      return { ...(await ports.show(place, before)), problems: [], changes: undefined };
    }
    if (isRenamed) {
      const { force = false } = update;
      await assertUnused(ports.uses, { environment: row.environment, body: before, change: "renamed", force, by });
    }
    const isNamed = before.tokens !== undefined || (settings === undefined && secrets === undefined);
    const accepted = isNamed ? undefined : await acceptChange(ports, before, update);
    // Fetching a document takes seconds, in which the key may have been revoked.
    refuseRevoked(by);
    const named = {
      ...before,
      ...inboundAddressOf(
        ports,
        before.tokens === undefined ? ports.integrationOf(before.integration) : undefined,
        environment,
        before,
      ),
      name: name ?? before.name,
      updatedAtMs: ports.clock.now(),
    };
    const body = accepted === undefined ? named : await changedBody(ports, place, named, update, accepted);
    const record = connectionRecord(ports.workspace, row.environment, connectionId, body);
    const fact = {
      ...actor(by),
      action: "connection.updated",
      subject: `${row.environment ?? "private"}/${connectionId}`,
      details: factDetails(before, body, changed),
    };
    const result = await ports.audit.record(fact, (audit) =>
      ports.storage.records.put({ record, ifRevision: row.revision, audit }),
    );
    if (result.status === "taken") throw nameTaken(environmentsOf(row.environment, body), body.name);
    if (result.status === "conflict") continue;
    if (body.document !== before.document) await ports.documents.removeOthers(place, documentsOf(body));
    return {
      ...(await ports.show(place, body)),
      problems: accepted?.documented?.problems ?? [],
      changes: await changesOf(ports, environment, { ...before, name: body.name }, accepted),
    };
  }
  throw new ProcedoError(
    "revision_conflict",
    "Other requests changed this connection at the same time. Load it and try again.",
  );
}

/** Rejects settings and secrets: a private connection has only a name to update, and its tokens are regenerated. */
export function checkPrivateChange({ settings = {}, secrets = {} }: ConnectionUpdate): void {
  if (Object.keys(settings).length === 0 && Object.keys(secrets).length === 0) return;
  const message = "A private connection has neither settings nor secrets. Send its new name only.";
  throw new ProcedoError("invalid_input", message, {
    details: [{ path: Object.keys(settings).length > 0 ? "/settings" : "/secrets", message: "must be left out" }],
  });
}

/** The inbound address of a connection, which it keeps. A connection from before its integration had events gets one. */
export function inboundAddressOf(
  { random }: Pick<ChangePorts, "random">,
  integration: Integration | undefined,
  environment: Environment,
  { inboundAddress }: Pick<ConnectionBody, "inboundAddress">,
): Pick<ConnectionBody, "inboundAddress"> {
  if (integration?.kind !== "coded" || integration.inbound === undefined) return {};
  return { inboundAddress: inboundAddress ?? newInboundAddress(environment, random) };
}

/** Makes the stored form of an accepted connection, after its document was stored. */
export async function bodyOf(
  { documents, documented }: Pick<ChangePorts, "documents" | "documented">,
  place: ConnectionPlace,
  base: Omit<ConnectionBody, "settings" | "baseUrl" | "unconfirmedBaseUrl" | "document">,
  accepted: Accepted,
): Promise<ConnectionBody> {
  const { settings } = accepted;
  if (accepted.documented === undefined) return { ...base, settings };
  const { document, baseUrl, unconfirmedBaseUrl, actions } = accepted.documented;
  const body = {
    ...base,
    settings,
    document: await documents.keep(place, document),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(unconfirmedBaseUrl !== undefined && unconfirmedBaseUrl !== baseUrl && { unconfirmedBaseUrl }),
  };
  documented.keep(place, versionOf(body), { actions, document });
  return body;
}

/** Checks the connection as it would be after an update. @throws ProcedoError as {@link acceptConnection} */
export async function acceptChange(
  ports: ChangePorts,
  before: ConnectionBody,
  update: ConnectionUpdate,
): Promise<Accepted> {
  const { environment, connectionId } = update;
  const sealing = connectionSecrets(ports.secretBox, ports.workspace, environment, connectionId);
  const document = before.document === undefined ? undefined : await ports.documents.read(update, before.document);
  return await acceptConnection(ports.accepting, ports.integrationOf(before.integration), {
    environment,
    settings: laidOver(before.settings, update.settings ?? {}),
    secrets: laidOver(sealing.open(before.secrets), update.secrets ?? {}),
    before: { settings: before.settings, document, baseUrl: before.baseUrl },
  });
}

async function changedBody(
  ports: ChangePorts,
  place: ConnectionPlace,
  before: ConnectionBody,
  { secrets = {} }: ConnectionUpdate,
  accepted: Accepted,
): Promise<ConnectionBody> {
  const { baseUrl: _before, unconfirmedBaseUrl: _unconfirmed, document, health: _outdated, ...rest } = before;
  const sealing = connectionSecrets(ports.secretBox, ports.workspace, place.environment, place.connectionId);
  const given = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== null);
  const removed = Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret === null));
  const sealed = laidOver<string>(before.secrets, { ...removed, ...sealing.seal(Object.fromEntries(given)) });
  const changed = { ...rest, secrets: sealed, accountSinceMs: ports.clock.now() };
  const body = await bodyOf(ports, place, changed, accepted);
  const { documented } = accepted;
  if (documented === undefined || document === undefined) return body;
  const [was, is] = [versionOf(before), versionOf(body)];
  const isAction = (name: string): boolean => documented.actions.has(name);
  return {
    ...body,
    ...(keyOf(was) !== keyOf(is) && { versions: keepVersion(before.versions ?? [], was, is) }),
    formerNames: formerNamesAfter(before.formerNames ?? [], documented.changes ?? { renamed: [] }, isAction),
  };
}

/** The stored members, replaced by the given ones; `null` removes a member. */
function laidOver<T extends JsonValue>(
  kept: { readonly [name: string]: T },
  named: { readonly [name: string]: T | null },
): { readonly [name: string]: T } {
  const laid = new Map(Object.entries(kept));
  for (const [name, value] of Object.entries(named)) {
    if (value === null) laid.delete(name);
    else laid.set(name, value);
  }
  return Object.fromEntries(laid);
}

function documentsOf({ document, versions = [] }: ConnectionBody): ReadonlySet<string> {
  return new Set([...(document === undefined ? [] : [document]), ...versions.map((version) => version.document)]);
}

function factDetails(before: ConnectionBody, after: ConnectionBody, changed: readonly string[]): JsonValue {
  return {
    changed,
    ...(after.name !== before.name && { name: after.name }),
    ...(after.document !== undefined && after.document !== before.document && { document: after.document }),
    ...(after.baseUrl !== undefined && after.baseUrl !== before.baseUrl && { baseUrl: after.baseUrl }),
  };
}

/** The changes of a connection's actions, and the procedures that they concern. */
export async function changesOf(
  { uses }: Pick<ChangePorts, "uses">,
  environment: Environment,
  { name, formerNames = [] }: Pick<ConnectionBody, "name" | "formerNames">,
  accepted: Accepted | undefined,
): Promise<ChangedConnection["changes"]> {
  const changes = accepted?.documented?.changes;
  if (changes === undefined) return undefined;
  const { changed, deprecated, renamed, removed } = changes;
  const concerned = new Set([...changed, ...deprecated, ...renamed.map(({ from }) => from), ...removed]);
  if (concerned.size === 0 && changes.added.length === 0) return undefined;
  // Calls may still use a name that an action had before an earlier change.
  for (const [former, today] of formerNames) if (concerned.has(today)) concerned.add(former);
  const found = concerned.size === 0 ? [] : await uses.find(environment, name);
  const usedBy = found
    .map((use) => ({ ...use, calls: use.calls.filter(({ action }) => concerned.has(action)) }))
    .filter(({ calls }) => calls.length > 0);
  return { ...changes, usedBy };
}
