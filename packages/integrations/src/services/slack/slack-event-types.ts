import type { JsonObject } from "@procedo/contract";
import type { InboundEventType } from "@procedo/engine";
import * as z from "zod";

const team = { team_id: z.string().meta({ description: "Id of the workspace." }) };
const ts = z.string().meta({ description: "The message's identifier in its channel." });
const files = z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })).optional();

/** A message that a person or another app posted. */
export const slackMessage = z.looseObject({
  ...team,
  type: z.literal("message"),
  subtype: z.string().optional(),
  channel: z.string(),
  channel_type: z.string(),
  user: z.string().optional().meta({ description: "Id of the person; another app may have none." }),
  text: z.string().optional(),
  ts,
  thread_ts: z.string().optional().meta({ description: "The `ts` of the message that this one replies to." }),
  files,
});

/** A message that mentions the app. */
export const slackMention = z.looseObject({
  ...team,
  type: z.literal("app_mention"),
  channel: z.string(),
  user: z.string().optional(),
  text: z.string(),
  ts,
  thread_ts: z.string().optional(),
});

/** A reaction that a person added. */
export const slackReaction = z.looseObject({
  ...team,
  type: z.literal("reaction_added"),
  user: z.string(),
  reaction: z.string().meta({ description: "Name of the emoji, without colons." }),
  item: z.looseObject({ type: z.string(), channel: z.string(), ts: z.string() }),
  item_user: z.string().optional().meta({ description: "The author of the message." }),
  event_ts: z.string(),
});

const slackCommand = z.looseObject({
  ...team,
  command: z.string().meta({ description: "The command with its slash." }),
  text: z.string().meta({ description: "The text after the command." }),
  user_id: z.string(),
  channel_id: z.string(),
});

const interaction = {
  team: z.looseObject({ id: z.string() }).nullish(),
  user: z.looseObject({ id: z.string() }),
};

const slackBlockActions = z.looseObject({
  ...interaction,
  type: z.literal("block_actions"),
  channel: z.looseObject({ id: z.string() }).optional(),
  message: z.looseObject({ ts: z.string() }).optional(),
  actions: z.array(z.looseObject({ action_id: z.string(), block_id: z.string(), value: z.string().optional() })),
});

const slackShortcut = z.looseObject({ ...interaction, type: z.literal("shortcut"), callback_id: z.string() });

const slackMessageAction = z.looseObject({
  ...interaction,
  type: z.literal("message_action"),
  callback_id: z.string(),
  channel: z.looseObject({ id: z.string() }),
  message: z.looseObject({ ts: z.string(), text: z.string().optional() }),
});

const person = { id: "U0CLERK", username: "clerk", team_id: "T0BOOKS" };
const workspace = { id: "T0BOOKS", domain: "books" };

/** The events of Slack, in the form that expressions read. */
export const slackEventTypes: readonly InboundEventType[] = [
  eventType("message", "Message posted", slackMessage, {
    ...{ team_id: "T0BOOKS", type: "message", channel: "C0BILLS", channel_type: "channel", user: "U0CLERK" },
    ...{ text: "Invoice 1007 is ready.", ts: "1764244800.000100", event_ts: "1764244800.000100" },
  }),
  eventType("app_mention", "App mentioned", slackMention, {
    ...{ team_id: "T0BOOKS", type: "app_mention", channel: "C0BILLS", user: "U0CLERK" },
    ...{ text: "<@U0ROBOT> pay 1007", ts: "1764244801.000200", event_ts: "1764244801.000200" },
  }),
  eventType("reaction_added", "Reaction added", slackReaction, {
    ...{ team_id: "T0BOOKS", type: "reaction_added", user: "U0CLERK", reaction: "white_check_mark" },
    item: { type: "message", channel: "C0BILLS", ts: "1764244800.000100" },
    ...{ item_user: "U0OWNER", event_ts: "1764244802.000300" },
  }),
  eventType("slash_command", "Slash command used", slackCommand, {
    ...{ team_id: "T0BOOKS", team_domain: "books", api_app_id: "A0ROBOT", command: "/pay", text: "1007 48.00 EUR" },
    ...{ user_id: "U0CLERK", user_name: "clerk", channel_id: "C0BILLS", channel_name: "bills" },
  }),
  eventType("block_actions", "Button or menu used", slackBlockActions, {
    ...{ type: "block_actions", api_app_id: "A0ROBOT", team: workspace, user: person },
    ...{ channel: { id: "C0BILLS", name: "bills" }, message: { type: "message", ts: "1764244800.000100" } },
    actions: [{ type: "button", action_id: "hold", block_id: "b1", value: "1007", action_ts: "1764244803.000400" }],
  }),
  eventType("shortcut", "Shortcut used", slackShortcut, {
    ...{ type: "shortcut", callback_id: "new_bill", team: workspace, user: person, action_ts: "1764244804.000500" },
  }),
  eventType("message_action", "Shortcut of a message used", slackMessageAction, {
    ...{ type: "message_action", callback_id: "book_message", team: workspace, user: person },
    ...{ channel: { id: "C0BILLS", name: "bills" }, message: { type: "message", ts: "1764244800.000100" } },
    action_ts: "1764244805.000600",
  }),
];

function eventType(type: string, title: string, schema: z.ZodObject, sample: JsonObject): InboundEventType {
  return { type, title, schema: z.toJSONSchema(schema, { io: "input" }) as JsonObject, sample };
}
