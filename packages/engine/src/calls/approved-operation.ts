import type { Environment } from "@procedo/contract";
import type { FrozenCall } from "@procedo/procedure";
import type { KnownConnection, ResolveConnection } from "../connections/resolved-connection.ts";
import { whileOutside, type OutsideOptions } from "../egress/outside.ts";
import type { ActionOperation } from "../integrations/integration.ts";
import { findAction, findKnownAction } from "./find-action.ts";

/**
 * The operation of a document that a frozen call performs. `undefined` if the call cannot be made (its connection was
 * replaced, or its action changed), and for an action without a document.
 *
 * @throws ProcedoError `storage_unavailable`
 */
export async function approvedOperation(
  ports: { readonly resolveConnection: ResolveConnection; readonly knownConnection: KnownConnection },
  environment: Environment,
  call: FrozenCall,
  { outside }: OutsideOptions = {},
): Promise<ActionOperation | undefined> {
  const found =
    findKnownAction(ports.knownConnection, environment, call) ??
    (await whileOutside(outside, () => findAction(ports.resolveConnection, environment, call)));
  if (!found.ok) return undefined;
  const { action, connection } = found;
  const isSame = connection.connectionId === call.connectionId && action.revision === call.revision;
  return isSame ? action.operation : undefined;
}
