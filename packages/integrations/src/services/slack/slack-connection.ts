import * as z from "zod";

/** Settings of a connection to Slack. */
export const slackSettings = z.object({
  teamId: z
    .string()
    .regex(/^T[A-Z0-9]{2,31}$/)
    .optional()
    .meta({ description: "Id of the workspace, such as `T0123ABCD`. Events of other workspaces are left out." }),
  appId: z
    .string()
    .regex(/^A[A-Z0-9]{2,31}$/)
    .optional()
    .meta({ description: "Id of the Slack app, such as `A0123ABCD`. Events of other apps are refused." }),
});

/** Secrets of a connection to Slack. The signing secret is needed for events only. */
export const slackSecrets = z.object({
  botToken: z.string().regex(/^xoxb-.{6,}$/, "A bot token begins with xoxb-."),
  signingSecret: z.string().min(16).optional(),
});

/** Settings of a connection, in the clear. */
export type SlackSettings = z.output<typeof slackSettings>;
/** Secrets of a connection, in the clear. */
export type SlackSecrets = z.output<typeof slackSecrets>;
