import { ProcedoError, type Environment } from "@procedo/contract";
import { authorizeBoth, reachOf, type Principal } from "../access/principal.ts";
import type { ConnectionUse, ConnectionUses } from "./connection-uses.ts";
import { environmentsOf, type ConnectionBody } from "./connection-record.ts";

/** A connection that is about to lose its name, or to be removed. */
export interface TakingAway {
  /** `undefined`: of a private connection. */
  readonly environment: Environment | undefined;
  readonly body: Pick<ConnectionBody, "name" | "tokens">;
  readonly change: "removed" | "renamed";
  /** Also when published versions call it. */
  readonly force: boolean;
  readonly by: Principal;
}

/** Uses that an error names. */
const maxNamed = 20;

/**
 * Refuses to take a connection away from an environment that the principal does not reach, and from published versions that
 * call it unless that is forced. A run keeps its version and finds its connections by name at each call, and a start may name
 * any version, so a version that is no default counts as well. Drafts do not count: they are checked when they are published.
 *
 * @throws ProcedoError `environment_mismatch`, `permission_denied`; `connection_in_use`
 */
export async function mayTakeAway(uses: ConnectionUses, taking: TakingAway): Promise<void> {
  const { body, change, force, by } = taking;
  const where = environmentsOf(taking.environment, body);
  if (where.some((environment) => !reachOf(by).includes(environment))) {
    authorizeBoth(by, "manage", {
      what: `${change === "removed" ? "Removing" : "Renaming"} connection "${body.name}"`,
      because: "it has a token there",
      instead:
        "Ask a person who may manage both, or use the command beside the service: " +
        `procedo connections ${change === "removed" ? "remove" : "update"}.`,
    });
  }
  if (force) return;
  for (const environment of where) {
    const defaults = await uses.ofDefaults(environment, body.name);
    if (defaults.length > 0) throw inUse(taking, defaults, "Publish versions without it, or force it");
  }
  if (where.length === 0) return;
  const versions = await uses.ofVersions(body.name, maxNamed);
  if (versions.length === 0) return;
  throw inUse(taking, versions, "Runs of such a version may be under way, and a start may name it. Force it");
}

function inUse({ body, change }: TakingAway, uses: readonly ConnectionUse[], advice: string): ProcedoError {
  const details = uses.slice(0, maxNamed).map(({ procedureId, version, calls }) => {
    const nodes = calls.map(({ nodeId }) => nodeId).join(", ");
    return { path: "", message: `procedure "${procedureId}", version "${version}", calls it at ${nodes}` };
  });
  const others = details.length <= 1 ? "" : `, and ${details.length - 1} more`;
  return new ProcedoError(
    "connection_in_use",
    `Connection "${body.name}" cannot be ${change}: ${details[0]?.message ?? ""}${others}. ${advice}, and their calls fail.`,
    { details },
  );
}
