/*
 * Slack: messaging.
 *
 *   slack.ts              the integration
 *   slack-connection.ts   settings and secrets; slack-oauth.ts: the OAuth client
 *   slack-actions.ts      the actions
 *   slack-refusals.ts     the words of refusals
 *   slack-events.ts       the events; slack-event-types.ts: their fields
 */
import { ActionError, defineIntegration, type CodedIntegration } from "@procedo/engine";
import * as z from "zod";
import { createService } from "../../kit/service.ts";
import { slackActions } from "./slack-actions.ts";
import { checkSlack, slackSecrets, slackSettings, type SlackSecrets, type SlackSettings } from "./slack-connection.ts";
import { slackInbound } from "./slack-events.ts";
import { slackClient } from "./slack-oauth.ts";
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
  authorizationUrl = "https://slack.com/oauth/v2/authorize",
}: {
  /** Address of the Web API, for tests. @defaultValue "https://slack.com/api" */
  readonly baseUrl?: string;
  /** Address of the page on which a person authorizes a connection. @defaultValue Slack's own */
  readonly authorizationUrl?: string;
} = {}): CodedIntegration {
  const service = createService<SlackSettings, SlackSecrets>({
    baseUrl: () => baseUrl,
    credentials: ({ secrets: { botToken } }) => (botToken === undefined ? {} : { authorization: `Bearer ${botToken}` }),
    refusal: slackRefusal,
  });
  return defineIntegration({
    name: "slack",
    title: "Slack",
    category: "messaging",
    settings: slackSettings,
    secrets: slackSecrets,
    check: checkSlack,
    oauth: (connection) => slackClient({ baseUrl, authorizationUrl }, connection),
    account: async (context) => {
      const { team_id: id, team: name } = identity.parse(await service.ask(context, "read", { path: "/auth.test" }));
      const { teamId } = context.settings;
      if (teamId === undefined || teamId === id) return { id, name };
      throw new ActionError(`The token is one of the workspace ${id}, but the connection names ${teamId}.`);
    },
    actions: () => slackActions(service),
    inbound: slackInbound,
  });
}
