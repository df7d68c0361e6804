import { ProcedoError, type DocumentProblem, type JsonObject } from "@procedo/contract";
import type { Integration } from "../integrations/integration.ts";
import { readDocument, RefusedDocument, type AcceptPorts } from "./accept-connection.ts";
import { firstActions, type Pause } from "./list-actions.ts";
import { formerNamesOf, listedAction, type ListedAction } from "./listed-action.ts";

const noFormerNames = formerNamesOf();

/** The content of a document that is not saved. */
export interface ConnectionPreview {
  /** The settings that a connection would be saved with; `undefined` when the document is refused. */
  readonly settings: JsonObject | undefined;
  /** Base URL of calls; `undefined` when the document names none. */
  readonly baseUrl: string | undefined;
  /** Number of all actions. */
  readonly actionCount: number;
  /** The first actions, up to 16 MiB of descriptions and schemas. */
  readonly actions: readonly ListedAction[];
  /** The parts of the document that would be left out, and the reasons. */
  readonly problems: readonly DocumentProblem[];
}

/** See `Connections.preview`. */
export async function previewConnection(
  ports: AcceptPorts & { readonly pause: Pause },
  integration: Integration,
  settings: JsonObject,
): Promise<ConnectionPreview> {
  if (integration.kind === "coded") {
    const message = `"${integration.name}" takes no document, because its actions are defined in code.`;
    throw new ProcedoError("invalid_input", message);
  }
  try {
    const read = await readDocument(ports, integration, { settings, secrets: undefined, before: undefined });
    const { baseUrl, actions, problems } = read;
    return {
      settings: read.settings,
      baseUrl,
      actionCount: actions.size,
      actions: (await firstActions(actions, ports.pause)).map((action) => listedAction(action, noFormerNames)),
      problems,
    };
  } catch (error) {
    if (!(error instanceof RefusedDocument)) throw error;
    return { settings: undefined, baseUrl: undefined, actionCount: 0, actions: [], problems: error.problems };
  }
}
