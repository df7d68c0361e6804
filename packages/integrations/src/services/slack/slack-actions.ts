import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ActionDefinition } from "@procedo/engine";
import * as z from "zod";
import type { ServicePages } from "../../kit/read-pages.ts";
import type { ServiceRequest } from "../../kit/service-request.ts";
import type { Service } from "../../kit/service.ts";
import type { SlackSecrets, SlackSettings } from "./slack-connection.ts";

const channel = z
  .string()
  .min(1)
  .max(80)
  .meta({ description: "Id of the channel or conversation, such as `C0123ABCD`." });
const user = z.string().min(1).max(32).meta({ description: "Id of the person, such as `U0123ABCD`." });
const timestamp = z
  .string()
  .regex(/^\d{1,12}\.\d{1,9}$/)
  .meta({ description: "The message's `ts`, such as `1764237600.000100`." });

/** A block of Block Kit, which Slack itself checks. */
export const block = z.looseObject({ type: z.string().min(1) });

const message = {
  channel,
  text: z
    .string()
    .min(1)
    .max(40_000)
    .meta({ description: "The text in Slack's mrkdwn. With blocks, notifications show it." }),
  blocks: z.array(block).min(1).max(50).optional().meta({ description: "The layout, as blocks of Block Kit." }),
};
const thread = timestamp.optional().meta({ description: "The `ts` of the message that this one replies to." });

const posted = z.looseObject({ channel: z.string(), ts: z.string() });

const person = z.looseObject({
  id: z.string(),
  name: z.string(),
  real_name: z.string().optional(),
  deleted: z.boolean().optional().meta({ description: "Whether the account is deactivated." }),
  is_bot: z.boolean().optional(),
  tz: z.string().nullish(),
  profile: z.looseObject({ email: z.string().optional(), display_name: z.string().optional() }).optional(),
});

const conversation = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  is_private: z.boolean().optional(),
  is_archived: z.boolean().optional(),
  is_member: z.boolean().optional().meta({ description: "Whether the app is a member." }),
});

const threadMessage = z.looseObject({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  thread_ts: z.string().optional(),
});

interface SlackActions {
  readonly [name: string]: ActionDefinition<z.ZodObject, z.ZodType, SlackSettings, SlackSecrets>;
}

/** The actions of Slack. */
export function slackActions({ action, list }: Service<SlackSettings, SlackSecrets>): SlackActions {
  return {
    post_message: action({
      description: "Posts a message in a channel or a conversation.",
      effect: "once",
      onUnknownOutcome: "retry",
      input: z.object({
        ...message,
        thread_ts: thread,
        reply_broadcast: z.boolean().optional().meta({ description: "Also shows a reply in the channel." }),
        unfurl_links: z.boolean().optional().meta({ description: "Shows previews of links." }),
      }),
      output: posted,
      request: (input) => ({ method: "POST", path: "/chat.postMessage", json: jsonOf(input) }),
    }),
    update_message: action({
      description: "Replaces the text and the blocks of a message that the app posted.",
      effect: "once",
      onUnknownOutcome: "retry",
      input: z.object({ ...message, ts: timestamp }),
      output: posted,
      request: (input) => ({ method: "POST", path: "/chat.update", json: jsonOf(input) }),
    }),
    post_ephemeral: action({
      description: "Shows a message to one person in a channel. It is not kept.",
      effect: "once",
      onUnknownOutcome: "retry",
      input: z.object({ ...message, user, thread_ts: thread }),
      output: z.looseObject({ message_ts: z.string() }),
      request: (input) => ({ method: "POST", path: "/chat.postEphemeral", json: jsonOf(input) }),
    }),
    open_dm: action({
      description: "Opens a direct message with one person, or with up to eight together, and returns its channel.",
      // The conversation of the same people is opened again, however often.
      effect: "idempotent",
      input: z.object({ users: z.array(user).min(1).max(8) }),
      output: z.looseObject({ id: z.string().meta({ description: "The channel to post in." }) }),
      request: ({ users }) => ({ method: "POST", path: "/conversations.open", json: { users: users.join(",") } }),
      read: (body) => memberOf(body, "channel"),
    }),
    lookup_user_by_email: action({
      description: "Finds the person with an e-mail address.",
      effect: "read",
      input: z.object({ email: z.email().max(254) }),
      output: person,
      request: ({ email }) => ({ path: "/users.lookupByEmail", query: { email } }),
      read: (body) => memberOf(body, "user"),
    }),
    get_user: action({
      description: "Reads a person's profile.",
      effect: "read",
      input: z.object({ user }),
      output: person,
      request: (query) => ({ path: "/users.info", query }),
      read: (body) => memberOf(body, "user"),
    }),
    list_channels: list({
      description: "Lists the channels of the workspace that the app can see.",
      input: z.object({
        types: z
          .array(z.enum(["public_channel", "private_channel", "mpim", "im"]))
          .min(1)
          .default(["public_channel"]),
        exclude_archived: z.boolean().default(true),
      }),
      item: conversation,
      request: ({ types, exclude_archived }) => ({
        path: "/conversations.list",
        query: { types: types.join(","), exclude_archived, limit: 200 },
      }),
      ...pagesOf("channels"),
    }),
    get_thread: list({
      description:
        "Reads a message and its replies. Slack promises this to a bot in direct messages; in channels it needs the " +
        "permission to read their history.",
      input: z.object({ channel, ts: timestamp }),
      item: threadMessage,
      request: (query) => ({ path: "/conversations.replies", query: { ...query, limit: 200 } }),
      ...pagesOf("messages"),
    }),
  };
}

/** The arguments as the body. Members that were not given are absent. */
function jsonOf(input: object): JsonObject {
  return z.record(z.string(), z.json()).parse(input);
}

const cursor = z.looseObject({ response_metadata: z.looseObject({ next_cursor: z.string() }) });

function pagesOf(name: string): Pick<ServicePages, "items" | "next"> {
  const page = z.looseObject({ [name]: z.array(z.json()) });
  return {
    items: (body) => page.parse(body)[name] as readonly JsonValue[],
    next: (body, sent): ServiceRequest | undefined => {
      const next = cursor.safeParse(body).data?.response_metadata.next_cursor;
      // An empty cursor ends the list.
      return next === undefined || next === "" ? undefined : { ...sent, query: { ...sent.query, cursor: next } };
    },
  };
}

function memberOf(body: JsonValue, name: string): JsonValue {
  return z.looseObject({ [name]: z.json() }).parse(body)[name] as JsonValue;
}
