import type { JsonObject, JsonValue } from "@procedo/contract";
import { createHmac } from "node:crypto";
import type { IntegrationProbe } from "../../testing/index.ts";
import { slackEventTypes } from "./slack-event-types.ts";
import { slack } from "./slack.ts";

/** The connection of the probe, with the ids of its workspace and app. */
export const slackConnection = {
  environment: "live",
  settings: { teamId: "T0BOOKS", appId: "A0ROBOT" },
  secrets: { botToken: "xoxb-1111-2222-abcdefghijkl", signingSecret: "8f742231b10e8888abcd99yyyzzz85a5" },
} as const;

/** The body of a callback of the Events API with an event. */
export function callbackOf(event: JsonObject, envelope: JsonObject = {}): string {
  return JSON.stringify({
    ...{ token: "verification-token", type: "event_callback", team_id: "T0BOOKS", api_app_id: "A0ROBOT" },
    ...{ event_id: "Ev0000001", event_time: 1_764_244_800, is_ext_shared_channel: false },
    authorizations: [
      { enterprise_id: null, team_id: "T0BOOKS", user_id: "U0ROBOT", is_bot: true, is_enterprise_install: false },
    ],
    event,
    ...envelope,
  });
}

/** The body of a slash command. */
export function commandOf(fields: JsonObject): string {
  const text = Object.entries({ ...fields, ...access }).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(text).toString();
}

/** The body of an interaction. */
export function interactionOf(payload: JsonObject): string {
  return new URLSearchParams({ payload: JSON.stringify({ ...payload, ...access }) }).toString();
}

/** Members that give access, and are not shown to procedures. */
const access = {
  token: "verification-token",
  trigger_id: "13345224609.738474920.8088930838d88f008e0",
  response_url: "https://hooks.slack.test/commands/1234/5678",
};

/** The headers of a request of Slack. */
export function signedBySlack(
  body: string,
  at: { readonly nowMs: number; readonly secrets: { readonly [name: string]: string } },
): { readonly [name: string]: string } {
  const seconds = String(Math.floor(at.nowMs / 1_000));
  const hmac = createHmac("sha256", at.secrets["signingSecret"] ?? "").update(`v0:${seconds}:${body}`);
  return {
    "X-Slack-Signature": `v0=${hmac.digest("hex")}`,
    "X-Slack-Request-Timestamp": seconds,
    "Content-Type": body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded",
  };
}

const person = { id: "U0CLERK", name: "clerk", real_name: "Cleo Clerk", profile: { email: "cleo@books.test" } };
const posted = { ok: true, channel: "C0BILLS", ts: "1764244800.000100" };
const blocks = [{ type: "section", text: { type: "mrkdwn", text: "*Invoice 1007*" } }];
const ofType = (type: string) => slackEventTypes.find((one) => one.type === type)?.sample as JsonObject;
const callbackOfType = (type: string) => {
  const { team_id: _team, ...event } = ofType(type);
  return callbackOf(event);
};

/** The facts by which the integration is tried. */
export function slackProbe(origin: string): IntegrationProbe {
  return {
    integration: slack({ baseUrl: origin }),
    connection: slackConnection,
    account: {
      exchanges: [
        {
          request: "GET /auth.test",
          answer: { ok: true, team: "Books", team_id: "T0BOOKS", user: "robot", user_id: "U0ROBOT", bot_id: "B0ROBOT" },
        },
      ],
      account: { id: "T0BOOKS", name: "Books" },
    },
    calls: {
      post_message: {
        args: { channel: "C0BILLS", text: "Invoice 1007", blocks, thread_ts: "1764244700.000100" },
        exchanges: [
          post("/chat.postMessage", {
            sent: { channel: "C0BILLS", text: "Invoice 1007", blocks, thread_ts: "1764244700.000100" },
            answer: { ...posted, message: { type: "message", text: "Invoice 1007", ts: posted.ts } },
          }),
        ],
      },
      update_message: {
        args: { channel: "C0BILLS", ts: posted.ts, text: "Paid" },
        exchanges: [
          post("/chat.update", {
            sent: { channel: "C0BILLS", ts: posted.ts, text: "Paid" },
            answer: { ...posted, text: "Paid" },
          }),
        ],
      },
      post_ephemeral: {
        args: { channel: "C0BILLS", user: "U0CLERK", text: "Only for you" },
        exchanges: [
          post("/chat.postEphemeral", {
            sent: { channel: "C0BILLS", user: "U0CLERK", text: "Only for you" },
            answer: { ok: true, message_ts: posted.ts },
          }),
        ],
      },
      open_dm: {
        args: { users: ["U0CLERK", "U0OWNER"] },
        exchanges: [
          post("/conversations.open", {
            sent: { users: "U0CLERK,U0OWNER" },
            answer: { ok: true, channel: { id: "G01" } },
          }),
        ],
        output: { id: "G01" },
        recognizedBy: "U0CLERK,U0OWNER",
      },
      lookup_user_by_email: {
        args: { email: "cleo@books.test" },
        exchanges: [
          { request: "GET /users.lookupByEmail?email=cleo%40books.test", answer: { ok: true, user: person } },
        ],
        output: person,
      },
      get_user: {
        args: { user: "U0CLERK" },
        exchanges: [{ request: "GET /users.info?user=U0CLERK", answer: { ok: true, user: person } }],
        output: person,
      },
      list_channels: {
        args: { types: ["public_channel", "private_channel"] },
        exchanges: [
          {
            request: `GET ${channelsPath}`,
            answer: {
              ok: true,
              channels: [{ id: "C01", name: "one" }],
              response_metadata: { next_cursor: "dGVhbTpD" },
            },
          },
          {
            request: `GET ${channelsPath}&cursor=dGVhbTpD`,
            answer: { ok: true, channels: [{ id: "C02", name: "two" }], response_metadata: { next_cursor: "" } },
          },
        ],
        output: {
          items: [
            { id: "C01", name: "one" },
            { id: "C02", name: "two" },
          ],
          pages: 2,
          hasMore: false,
        },
      },
      get_thread: {
        args: { channel: "C0BILLS", ts: posted.ts },
        exchanges: [
          {
            request: `GET /conversations.replies?channel=C0BILLS&ts=${posted.ts}&limit=200`,
            answer: { ok: true, messages: [{ type: "message", user: "U0CLERK", ts: posted.ts }], has_more: false },
          },
        ],
        output: { items: [{ type: "message", user: "U0CLERK", ts: posted.ts }], pages: 1, hasMore: false },
      },
    },
    inbound: {
      header: "X-Slack-Signature",
      toleranceMs: 5 * 60_000,
      sign: signedBySlack,
      bodies: {
        message: callbackOfType("message"),
        app_mention: callbackOfType("app_mention"),
        reaction_added: callbackOfType("reaction_added"),
        slash_command: commandOf(ofType("slash_command")),
        block_actions: interactionOf(ofType("block_actions")),
        shortcut: interactionOf(ofType("shortcut")),
        message_action: interactionOf(ofType("message_action")),
      },
      misplaced: { body: callbackOf(ofType("message"), { api_app_id: "A0TESTS" }) },
    },
  };
}

const channelsPath = "/conversations.list?types=public_channel%2Cprivate_channel&exclude_archived=true&limit=200";

function post(path: string, { sent, answer }: { readonly sent: JsonValue; readonly answer: JsonValue }) {
  return { request: `POST ${path}`, sent, answer };
}
