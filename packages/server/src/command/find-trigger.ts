import { ProcedoError, type Environment } from "@procedo/contract";
import type { Engine, TriggerView } from "@procedo/engine";

/**
 * Finds a trigger by name or id. Names are unique within an environment.
 *
 * @param which - the name or the id
 * @throws ProcedoError `trigger_not_found`
 */
export async function findTrigger(
  { triggers }: Pick<Engine, "triggers">,
  environment: Environment,
  which: string,
): Promise<TriggerView> {
  let cursor: string | undefined;
  do {
    const page = await triggers.list({ environment, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    const found = page.items.find(({ triggerId, name }) => triggerId === which || name === which);
    if (found !== undefined) return found;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const message = `There is no trigger "${which}" in ${environment}. See triggers list.`;
  throw new ProcedoError("trigger_not_found", message);
}
