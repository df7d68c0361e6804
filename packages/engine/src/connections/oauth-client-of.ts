import type { Integration } from "../integrations/integration.ts";
import type { OAuthClient } from "../integrations/oauth-client.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { ConnectionBody, ConnectionPlace } from "./connection-record.ts";
import { connectionSecrets } from "./connection-secrets.ts";

/** The OAuth client of a stored connection; `undefined` if it has none, or its integration is not known here. */
export function oauthClientOf(
  ports: {
    readonly workspace: string;
    readonly integrations: ReadonlyMap<string, Integration>;
    readonly secretBox: SecretBox;
  },
  { environment, connectionId }: ConnectionPlace,
  body: ConnectionBody,
): OAuthClient | undefined {
  const oauth = body.tokens === undefined ? ports.integrations.get(body.integration)?.oauth : undefined;
  if (oauth === undefined) return undefined;
  const sealing = connectionSecrets(ports.secretBox, ports.workspace, environment, connectionId);
  return oauth({ environment, settings: body.settings, secrets: sealing.open(body.secrets) });
}
