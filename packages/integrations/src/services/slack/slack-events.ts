import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@procedo/contract";
import {
  isSignature,
  ProcedoError,
  signedAtMs,
  strictJson,
  type InboundEvent,
  type InboundIntegration,
} from "@procedo/engine";
import * as z from "zod";
import { isForm, signedForm } from "../../kit/signed-form.ts";
import type { SlackSecrets, SlackSettings } from "./slack-connection.ts";
import { slackEventTypes } from "./slack-event-types.ts";

/** The events that an app of Slack receives: of the Events API as JSON, commands and interactions as forms. */
export const slackInbound: InboundIntegration<SlackSettings, SlackSecrets> = {
  events: slackEventTypes,

  // X-Slack-Signature: v0=<hex>, over v0:<seconds>:<body>.
  verify({ header, body, secrets: { signingSecret }, nowMs }) {
    const [line = "", ...lines] = header("X-Slack-Signature");
    const [seconds = "", ...times] = header("X-Slack-Request-Timestamp");
    if (signingSecret === undefined || lines.length > 0 || times.length > 0 || !line.startsWith("v0=")) return false;
    // The signature of a request that was recorded stays valid. Its time does not.
    if (signedAtMs(seconds, nowMs) === undefined) return false;
    return isSignature(line.slice(3), [`v0:${seconds}:`, body], { secret: signingSecret });
  },

  handshake(request) {
    if (isForm(request)) return undefined;
    const check = addressCheck.safeParse(request.json());
    return check.success ? { contentType: "text/plain; charset=utf-8", text: check.data.challenge } : undefined;
  },

  parse(request) {
    const { teamId, appId } = request.settings;
    const delivery = isForm(request) ? formDelivery(request.body) : callbackDelivery(request.json());
    if (delivery?.event === undefined) return [];
    // The app of the other environment has the same form of events.
    if (appId !== undefined && delivery.app !== undefined && delivery.app !== appId) return "other_environment";
    // An app that is installed in several workspaces has one address for all of them.
    if (teamId !== undefined && !delivery.teams.includes(teamId)) return [];
    return [delivery.event];
  },
};

/** An event with the app and the workspaces that it is for. */
interface Delivery {
  /** Left out of shortcuts. */
  readonly app: string | undefined;
  readonly teams: readonly (string | null | undefined)[];
  readonly event: InboundEvent | undefined;
}

const addressCheck = z.looseObject({ type: z.literal("url_verification"), challenge: z.string().min(1).max(1_000) });

const callback = z.looseObject({
  type: z.literal("event_callback"),
  team_id: z.string(),
  context_team_id: z.string().nullish(),
  api_app_id: z.string(),
  event_id: z.string().min(1),
  event_time: z.number(),
  authorizations: z
    .array(
      z.looseObject({ team_id: z.string().nullish(), user_id: z.string().nullish(), is_bot: z.boolean().nullish() }),
    )
    .nullish(),
  event: z.looseObject({
    type: z.string(),
    subtype: z.string().optional(),
    user: z.string().nullish(),
    bot_profile: z.looseObject({ app_id: z.string().optional() }).nullish(),
  }),
});
type Callback = z.output<typeof callback>;

/** Slack's other requests, such as `app_rate_limited`, have no event. */
function callbackDelivery(body: JsonValue): Delivery | undefined {
  if (!z.looseObject({ type: callback.shape.type }).safeParse(body).success) return undefined;
  const delivered = read(callback, body);
  const { team_id, context_team_id, api_app_id, authorizations } = delivered;
  return {
    app: api_app_id,
    teams: [team_id, context_team_id, ...(authorizations ?? []).map((one) => one.team_id)],
    event: isOwn(delivered) ? undefined : callbackEvent(delivered),
  };
}

/** Whether the app itself caused the event. A procedure that posts where it is triggered would not end. */
function isOwn({ api_app_id, authorizations, event: { user, bot_profile } }: Callback): boolean {
  if (bot_profile?.app_id === api_app_id) return true;
  return typeof user === "string" && (authorizations ?? []).some((one) => one.is_bot === true && one.user_id === user);
}

const message = z.looseObject({ channel: z.string().min(1), ts: z.string().regex(/^\d+\.\d+$/) });

/** The messages that were posted. The other subtypes are about messages or channels that changed. */
const postedSubtypes: readonly (string | undefined)[] = [
  undefined,
  "bot_message",
  "file_share",
  "me_message",
  "thread_broadcast",
];

function callbackEvent({ team_id, event_id, event_time, event }: Callback): InboundEvent | undefined {
  const { type, subtype } = event;
  const shown = { team_id, ...event } as JsonObject;
  if (type !== "message" && type !== "app_mention") {
    return { id: event_id, type, occurredAtMs: event_time * 1_000, event: shown };
  }
  if (type === "message" && !postedSubtypes.includes(subtype)) return undefined;
  const { channel, ts } = read(message, event);
  // Slack may send a message again under another event_id.
  const kind = type === "message" ? subtype : type;
  const id = [team_id, channel, ts, ...(kind === undefined ? [] : [kind])].join(":");
  return { id, type, occurredAtMs: msOf(ts), event: shown };
}

function formDelivery(body: Uint8Array): Delivery | undefined {
  const form = signedForm(body);
  const payload = form.get("payload");
  return payload === undefined ? commandDelivery(Object.fromEntries(form)) : interactionDelivery(strictJson(payload));
}

const command = z.looseObject({
  command: z.string(),
  team_id: z.string(),
  api_app_id: z.string(),
  trigger_id: z.string().min(1),
});

function commandDelivery(form: JsonObject): Delivery {
  const { team_id, api_app_id, trigger_id } = read(command, form);
  const event = { id: idOf(trigger_id), type: "slash_command", occurredAtMs: undefined, event: shownOf(form) };
  return { app: api_app_id, teams: [team_id], event };
}

const interaction = z.looseObject({
  type: z.enum(["block_actions", "shortcut", "message_action"]),
  trigger_id: z.string().min(1),
  api_app_id: z.string().optional(),
  team: z.looseObject({ id: z.string() }).nullish(),
  user: z.looseObject({ team_id: z.string().optional() }),
  action_ts: z.string().optional(),
  actions: z.array(z.looseObject({ action_ts: z.string().optional() })).optional(),
});

/** Dialogs, which Slack sends too, belong to apps that open them. */
function interactionDelivery(payload: JsonValue): Delivery | undefined {
  if (!z.looseObject({ type: interaction.shape.type }).safeParse(payload).success) return undefined;
  const { type, trigger_id, api_app_id, team, user, action_ts, actions } = read(interaction, payload);
  const occurredAtMs = msOf(action_ts ?? actions?.[0]?.action_ts);
  const event = { id: idOf(trigger_id), type, occurredAtMs, event: shownOf(payload as JsonObject) };
  // An app that is installed for a whole organization names the workspace of the person only.
  return { app: api_app_id, teams: [team?.id ?? user.team_id], event };
}

/** The identity of a delivery by the member that opens dialogs for a moment, which is stored as a digest only. */
function idOf(triggerId: string): string {
  return createHash("sha256").update(triggerId).digest("base64url");
}

/** Members that give access for a while, and the token that signatures have replaced. */
const hidden: readonly string[] = [
  "token",
  "response_url",
  "response_urls",
  "trigger_id",
  "bot_access_token",
  "interactivity",
];

function shownOf(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !hidden.includes(name)));
}

/** The time of a timestamp: seconds, and digits that only tell messages apart. */
function msOf(ts: string | undefined): number | undefined {
  return ts === undefined || !/^\d{1,12}\.\d+$/.test(ts) ? undefined : Math.floor(Number(ts) * 1_000);
}

/** @throws ProcedoError `invalid_input` */
function read<Schema extends z.ZodType>(schema: Schema, body: JsonValue | object): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ProcedoError("invalid_input", `The request is not of Slack's form: ${z.prettifyError(parsed.error)}`);
}
