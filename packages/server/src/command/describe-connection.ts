import type { ChangedConnection, Connection, ConnectionOAuth, ConnectionUse } from "@procedo/engine";
import type { DocumentProblem } from "@procedo/contract";
import { moment } from "./table.ts";

/** A connection as lines of text. */
export function describeConnection(
  connection: Connection,
  {
    usedBy,
    inboundUrl,
  }: { readonly usedBy: readonly ConnectionUse[]; readonly inboundUrl: (address: string) => string },
): readonly string[] {
  const { connectionId, name, integration, environment, settings, secretNames, health, inbound, oauth, createdAtMs } =
    connection;
  return [
    `Connection "${name}" (${connectionId}) of ${integration} in ${environment ?? "both environments"}, created ${moment(createdAtMs)}`,
    ...Object.entries(settings).map(([setting, value]) => `  ${setting}: ${JSON.stringify(value)}`),
    `  secrets: ${secretNames.join(", ") || "none"}`,
    `  health: ${health.status}${health.checkedAtMs === undefined ? "" : ` since ${moment(health.checkedAtMs)}`}`,
    ...(health.message === undefined ? [] : [`    ${health.message}`]),
    ...(oauth === undefined ? [] : describeAuthorization(oauth)),
    ...(inbound === undefined ? [] : [`  receives events at ${inboundUrl(inbound.address)}`]),
    ...usedBy.map((use) => `  used by ${describeUse(use)}`),
  ];
}

/** The authorization of a connection by OAuth as lines of text. */
export function describeAuthorization(oauth: ConnectionOAuth): readonly string[] {
  const { status, account, scopesAsked, scopesGranted, connectedAtMs, connectedBy = "" } = oauth;
  const { expiresAtMs, refreshedAtMs, lastFailure } = oauth;
  const missing = scopesGranted === undefined ? [] : scopesAsked.filter((scope) => !scopesGranted.includes(scope));
  return [
    `  authorization: ${status}${account === undefined ? "" : `, account ${account.name} (${account.id})`}`,
    ...(connectedAtMs === undefined ? [] : [`    authorized ${moment(connectedAtMs)} by ${connectedBy}`]),
    `    scopes: ${(scopesGranted ?? scopesAsked).join(", ") || "none"}`,
    ...(missing.length === 0 ? [] : [`    not granted: ${missing.join(", ")}`]),
    ...(expiresAtMs === undefined ? [] : [`    access token until ${moment(expiresAtMs)}`]),
    ...(refreshedAtMs === undefined ? [] : [`    renewed ${moment(refreshedAtMs)}`]),
    ...(lastFailure === undefined ? [] : [`    failed ${moment(lastFailure.atMs)}: ${lastFailure.message}`]),
  ];
}

/** Actions that were added, changed or removed by a new document. */
export function describeChanges({ changes }: Pick<ChangedConnection, "changes">): readonly string[] {
  if (changes === undefined) return [];
  const { added, changed, deprecated, renamed, removed, usedBy } = changes;
  const told = { added, changed, deprecated, renamed: renamed.map(({ from, to }) => `${from} to ${to}`), removed };
  return [
    ...Object.entries(told).flatMap(([what, names]) => (names.length === 0 ? [] : [`  ${what}: ${names.join(", ")}`])),
    ...usedBy.map((use) => `  concerns ${describeUse(use)}`),
  ];
}

/** The parts of a document that were left out, each with the reason. */
export function describeDocumentProblems(problems: readonly DocumentProblem[]): readonly string[] {
  return problems.map(({ severity, line, column, path, message }) => {
    const place = line === undefined ? "" : `${line}:${column ?? 1} `;
    return `${severity}: ${place}${path === "" ? "" : `${path} `}${message}`;
  });
}

function describeUse({ procedureId, version, calls }: ConnectionUse): string {
  const nodes = calls.map(({ nodeId }) => nodeId).join(", ");
  return `${procedureId}, ${version === undefined ? "its draft" : `version ${version}`}, at ${nodes}`;
}
