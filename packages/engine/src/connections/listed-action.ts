import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { Action, ActionEffect, ActionOperation } from "../integrations/integration.ts";
import type { ConnectionBody } from "./connection-record.ts";

/** An action of a connection as lists show it, without the function that calls it. */
export interface ListedAction {
  /** Name by which tool calls refer to the action. */
  readonly name: string;
  /** The purpose of the action. */
  readonly description: string;
  /** The effect of a repeated call: `read`, `idempotent` or `once`. */
  readonly effect: ActionEffect;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the output, if known. */
  readonly output: JsonObject | undefined;
  /** Whether its author advises against using it. */
  readonly deprecated: boolean;
  /** The operation of a documented action. */
  readonly operation: ActionOperation | undefined;
  /** Whether a person has to approve each call, as a private function may demand. */
  readonly requiresReview: boolean;
  /** Earlier names of the action, which tool calls may still use. */
  readonly formerNames: readonly string[];
}

/** The earlier names of actions, each list by the current name. */
export type FormerNames = ReadonlyMap<string, readonly string[]>;

/** @param pairs each former name with the current one, as a connection stores them */
export function formerNamesOf(pairs: readonly (readonly [former: string, today: string])[] = []): FormerNames {
  const names = new Map<string, string[]>();
  for (const [former, today] of pairs) {
    const known = names.get(today);
    if (known === undefined) names.set(today, [former]);
    else known.push(former);
  }
  return names;
}

export function listedAction(action: Action, formerNames: FormerNames): ListedAction {
  const { name, description, effect, input, output, deprecated, operation, dispatch } = action;
  return {
    name,
    description,
    effect,
    input,
    output,
    deprecated,
    operation,
    requiresReview: dispatch?.requiresReview === true,
    formerNames: formerNames.get(name) ?? [],
  };
}

/**
 * An action of a connection, by its name or a former name.
 *
 * @throws ProcedoError `not_found`
 */
export function actionByName(
  actions: ReadonlyMap<string, Action>,
  connection: Pick<ConnectionBody, "name" | "formerNames">,
  name: string,
): ListedAction {
  const today = connection.formerNames?.find(([former]) => former === name)?.[1];
  const action = actions.get(name) ?? (today === undefined ? undefined : actions.get(today));
  if (action !== undefined) return listedAction(action, formerNamesOf(connection.formerNames));
  throw new ProcedoError("not_found", `Connection "${connection.name}" has no action "${name}".`);
}
