import { ProcedoError, type Environment } from "@procedo/contract";
import { authorizeBoth, reachOf, type Principal } from "../access/principal.ts";
import type { ConnectionUse, ConnectionUses } from "./connection-uses.ts";
import { environmentsOf, type ConnectionBody } from "./connection-record.ts";

/** A connection that is about to be renamed or removed. */
export interface Removal {
  /** `undefined` for a private connection. */
  readonly environment: Environment | undefined;
  readonly body: Pick<ConnectionBody, "name" | "tokens">;
  readonly change: "removed" | "renamed";
  /** Skips the check for published versions that call the connection. */
  readonly force: boolean;
  readonly by: Principal;
}

/** Number of uses that an error lists. */
const maxNamed = 20;

/**
 * Rejects the change if calls find the connection in an environment that the principal does not reach or, unless it is
 * forced, if published versions call the connection or triggers take its events. A run keeps its version and looks connections up by name at each
 * call, and a start may name any version, so versions that are not the default count as well. Drafts do not count:
 * publishing checks them.
 *
 * @throws ProcedoError `environment_mismatch`, `permission_denied`; `connection_in_use`
 */
export async function assertUnused(uses: ConnectionUses, removal: Removal): Promise<void> {
  const { body, change, force, by } = removal;
  const where = environmentsOf(removal.environment, body);
  if (where.some((environment) => !reachOf(by).includes(environment))) {
    authorizeBoth(by, "manage", {
      what: `${change === "removed" ? "Removing" : "Renaming"} connection "${body.name}"`,
      because: "it has a token there",
      instead: "Ask a person who may manage both, or the operator of the service.",
    });
  }
  if (force) return;
  for (const environment of where) {
    const defaults = await uses.ofDefaults(environment, body.name);
    if (defaults.length > 0) throw inUse(removal, defaults, "Publish versions without it, or force the change");
  }
  for (const environment of where) {
    const triggers = await uses.ofTriggers(environment, body.name);
    if (triggers.length > 0) throw usedByTriggers(removal, triggers);
  }
  if (where.length === 0) return;
  const versions = await uses.ofVersions(body.name, maxNamed);
  if (versions.length === 0) return;
  throw inUse(removal, versions, "Runs of these versions may be in progress. To continue, force the change");
}

function usedByTriggers({ body, change }: Removal, triggers: readonly string[]): ProcedoError {
  const details = triggers
    .slice(0, maxNamed)
    .map((name) => ({ path: "", message: `trigger "${name}" takes its events` }));
  const others = triggers.length <= 1 ? "" : `, and ${triggers.length - 1} more`;
  return new ProcedoError(
    "connection_in_use",
    `Connection "${body.name}" cannot be ${change}: ${details[0]?.message ?? ""}${others}. ` +
      "Change or remove these triggers, or force the change; they then take no more events.",
    { details },
  );
}

function inUse({ body, change }: Removal, uses: readonly ConnectionUse[], advice: string): ProcedoError {
  const details = uses.slice(0, maxNamed).map(({ procedureId, version, calls }) => {
    const nodes = calls.map(({ nodeId }) => nodeId).join(", ");
    return { path: "", message: `procedure "${procedureId}", version "${version}", calls it at ${nodes}` };
  });
  const others = details.length <= 1 ? "" : `, and ${details.length - 1} more`;
  return new ProcedoError(
    "connection_in_use",
    `Connection "${body.name}" cannot be ${change}: ${details[0]?.message ?? ""}${others}. ${advice}; their calls then fail.`,
    { details },
  );
}
