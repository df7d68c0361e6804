import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { Principal } from "../access/principal.ts";
import type { ConnectionUse, FindUses } from "../procedures/connection-uses.ts";

/**
 * Refuses to take a connection away from where it is used. Forcing it is up to those whose procedures then fail: whoever
 * reaches one environment cannot force it upon the other.
 *
 * @param given.environment `undefined`: of both
 * @throws ProcedoError `connection_in_use`
 */
export async function refuseWhereUsed(
  findUses: FindUses,
  given: {
    readonly environment: Environment | undefined;
    readonly name: string;
    readonly change: "removed" | "renamed";
    readonly force: boolean;
    readonly by: Pick<Principal, "environment">;
  },
): Promise<void> {
  const { name, change, force, by } = given;
  for (const environment of given.environment === undefined ? environments : [given.environment]) {
    const reaches = by.environment === undefined || by.environment === environment;
    if (!force || !reaches) refuseInUse(name, change, await findUses(environment, name));
  }
}

/**
 * Drafts do not count: they are checked when they are published.
 *
 * @throws ProcedoError `connection_in_use` when default versions are among the uses
 */
function refuseInUse(name: string, change: "removed" | "renamed", uses: readonly ConnectionUse[]): void {
  const details = uses.flatMap(({ procedureId, version, calls }) => {
    const nodes = calls.map(({ nodeId }) => nodeId).join(", ");
    const message = `procedure "${procedureId}", version "${version}", calls it at ${nodes}`;
    return version === undefined ? [] : [{ path: "", message }];
  });
  const [first] = details;
  if (first === undefined) return;
  const others = details.length === 1 ? "" : `, and ${details.length - 1} more`;
  throw new ProcedoError(
    "connection_in_use",
    `Connection "${name}" cannot be ${change}: ${first.message}${others}. Publish versions without it, or force it, and ` +
      "their calls fail.",
    { details },
  );
}
