import type { DocumentProblem } from "@procedo/contract";
import { authorize } from "../access/principal.ts";
import {
  acceptChange,
  changesOf,
  checkPrivateChange,
  type ChangedConnection,
  type ChangePorts,
  type ConnectionUpdate,
} from "./change-connection.ts";
import { connectionBody } from "./connection-record.ts";

/** The consequences of a change of a connection that is not saved. */
export interface ChangePreview {
  /** Parts of the document that would be omitted, with the reason. */
  readonly problems: readonly DocumentProblem[];
  /** `undefined` when no action would change. */
  readonly changes: ChangedConnection["changes"];
  /** The address that would have to be confirmed before anything is sent; `undefined` for none. */
  readonly unconfirmedBaseUrl: string | undefined;
}

/** See `Connections.previewChange`. */
export async function previewChange(
  ports: ChangePorts,
  update: Omit<ConnectionUpdate, "name" | "force">,
): Promise<ChangePreview> {
  const { environment, connectionId, by } = update;
  authorize(by, "manage", environment);
  const before = connectionBody(await ports.find({ environment, connectionId }));
  if (before.tokens !== undefined) {
    checkPrivateChange(update);
    return { problems: [], changes: undefined, unconfirmedBaseUrl: undefined };
  }
  const accepted = await acceptChange(ports, before, update);
  const { problems = [], baseUrl, unconfirmedBaseUrl } = accepted.documented ?? {};
  return {
    problems,
    changes: await changesOf(ports, environment, before, accepted),
    unconfirmedBaseUrl: unconfirmedBaseUrl === baseUrl ? undefined : unconfirmedBaseUrl,
  };
}
