import { ActionError, defineIntegration, type CodedIntegration } from "@procedo/engine";
import * as z from "zod";
import { createService } from "../../kit/service.ts";
import { slackActions } from "./slack-actions.ts";
import { slackSecrets, slackSettings, type SlackSecrets, type SlackSettings } from "./slack-connection.ts";
import { slackInbound } from "./slack-events.ts";
import { slackRefusal } from "./slack-refusals.ts";

const identity = z.looseObject({ team_id: z.string(), team: z.string() });

/**
 * Slack: messages, people and channels of a workspace, and the events of an app. Slack has one kind of credentials for
 * tests and for production, so each environment needs an app of its own, whose request URL is the address of the
 * connection.
 *
 * Slack publishes its limits per method and channel, not per app: a call above them is answered with 429, and repeated
 * after the time that Slack names.
 *
 * Its interface: https://docs.slack.dev/reference/methods
 */
export function slack({
  baseUrl = "https://slack.com/api",
}: {
  /** Address of the Web API, for tests. @defaultValue "https://slack.com/api" */
  readonly baseUrl?: string;
} = {}): CodedIntegration {
  const service = createService<SlackSettings, SlackSecrets>({
    baseUrl: () => baseUrl,
    credentials: ({ secrets: { botToken } }) => ({ authorization: `Bearer ${botToken}` }),
    refusal: slackRefusal,
  });
  return defineIntegration({
    name: "slack",
    title: "Slack",
    category: "messaging",
    settings: slackSettings,
    secrets: slackSecrets,
    account: async (context) => {
      const { team_id: id, team: name } = identity.parse(await service.ask(context, "read", { path: "/auth.test" }));
      const { teamId } = context.settings;
      if (teamId === undefined || teamId === id) return { id, name };
      throw new ActionError(`The bot token is one of the workspace ${id}, but the connection names ${teamId}.`);
    },
    actions: () => slackActions(service),
    inbound: slackInbound,
  });
}
