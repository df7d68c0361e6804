import type { ErrorDetail } from "@procedo/contract";
import * as z from "zod";

/** Settings of a connection to Slack. */
export const slackSettings = z.object({
  teamId: z
    .string()
    .regex(/^T[A-Z0-9]{2,31}$/)
    .optional()
    .meta({ description: "Id of the workspace, such as `T0123ABCD`. Events of other workspaces are left out." }),
  clientId: z
    .string()
    .regex(/^\d+\.\d+$/, "A client id has two numbers with a dot between them.")
    .optional()
    .meta({ description: "Client id of the app, for a connection that a person authorizes. Unused with a bot token." }),
  scopes: z
    .array(z.string().regex(/^[a-z]+(?:[.:][a-z]+)+$/))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description:
        "Bot scopes to ask for, such as `channels:history` for threads in channels. Left out: those of the actions that " +
        "need no history, for public channels.",
    }),
  appId: z
    .string()
    .regex(/^A[A-Z0-9]{2,31}$/)
    .optional()
    .meta({ description: "Id of the Slack app, such as `A0123ABCD`. Events of other apps are refused." }),
});

/** Secrets of a connection to Slack: a bot token, or the secret of a client. */
export const slackSecrets = z.object({
  botToken: z
    .string()
    .regex(/^xoxb-.{6,}$/, "A bot token begins with xoxb-.")
    .optional()
    .meta({ description: "Bot token of the app. Left out: a person authorizes the connection." }),
  clientSecret: z.string().min(16).optional().meta({ description: "Client secret of the app, with its client id." }),
  signingSecret: z.string().min(16).optional().meta({ description: "Signing secret of the app, for its events." }),
});

/** Settings of a connection, in the clear. */
export type SlackSettings = z.output<typeof slackSettings>;
/** Secrets of a connection, in the clear. */
export type SlackSecrets = z.output<typeof slackSecrets>;

/** A connection has a bot token, or a client by which a person authorizes it. */
export function checkSlack({
  settings: { clientId },
  secrets: { botToken, clientSecret },
}: {
  readonly settings: SlackSettings;
  readonly secrets: SlackSecrets;
}): readonly ErrorDetail[] {
  if (botToken !== undefined || (clientId !== undefined && clientSecret !== undefined)) return [];
  if (clientId !== undefined) return [{ path: "/secrets/clientSecret", message: "is required with a client id" }];
  if (clientSecret !== undefined) return [{ path: "/settings/clientId", message: "is required with a client secret" }];
  const message =
    "is required, unless a person authorizes the connection by a client: settings.clientId and clientSecret";
  return [{ path: "/secrets/botToken", message }];
}
