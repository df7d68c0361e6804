import { ProcedoError, type DocumentProblem, type JsonObject } from "@procedo/contract";
import type { Action, Integration } from "../integrations/integration.ts";
import { readDocument, RefusedDocument, type AcceptPorts } from "./accept-connection.ts";
import { firstActions, type Pause } from "./list-actions.ts";

/** What a document gives; nothing of it is saved. */
export interface ConnectionPreview {
  /** As a connection would be saved with them; `undefined`: the document is refused. */
  readonly settings: JsonObject | undefined;
  readonly baseUrl: string | undefined;
  readonly actionCount: number;
  /** The first of them, as far as their schemas have 16 MiB. */
  readonly actions: readonly Action[];
  readonly problems: readonly DocumentProblem[];
}

/** See `Connections.preview`. */
export async function previewConnection(
  ports: AcceptPorts & { readonly pause: Pause },
  integration: Integration,
  settings: JsonObject,
): Promise<ConnectionPreview> {
  if (integration.kind === "coded") {
    const message = `"${integration.name}" takes no document: its actions come from code.`;
    throw new ProcedoError("invalid_input", message);
  }
  try {
    const read = await readDocument(ports, integration, { settings, secrets: undefined, before: undefined });
    const { baseUrl, actions, problems } = read;
    return {
      settings: read.settings,
      baseUrl,
      actionCount: actions.size,
      actions: await firstActions(actions, ports.pause),
      problems,
    };
  } catch (error) {
    if (!(error instanceof RefusedDocument)) throw error;
    return { settings: undefined, baseUrl: undefined, actionCount: 0, actions: [], problems: error.problems };
  }
}
