import type { JsonValue } from "@procedo/contract";
import * as z from "zod";
import type { ServiceRefusal } from "../../kit/service-http.ts";

const failure = z.looseObject({
  ok: z.literal(false),
  error: z.string().regex(/^[a-z0-9_]{1,64}$/),
  needed: z
    .string()
    .regex(/^[a-z0-9_:.,-]{1,200}$/)
    .optional(),
});

/**
 * The refusal in an answer of Slack, which is sent with the status 200 and `ok: false`.
 *
 * @returns `undefined` for a result, and for an answer that is not of Slack's form
 */
export function slackRefusal({ body }: { readonly body: JsonValue }): ServiceRefusal | undefined {
  const answer = failure.safeParse(body);
  if (!answer.success) return undefined;
  const { error, needed } = answer.data;
  if (error === "missing_scope" && needed !== undefined) {
    return { message: `The Slack app lacks the permission ${needed}. Add it, and install the app again.` };
  }
  const message = messages.get(error) ?? `Slack refused the call: ${error}.`;
  if (inDoubt.has(error)) return { message, outcome: "unknown" };
  return later.has(error) ? { message, retryable: true } : { message };
}

/** Slack documents that a part of the work may have been done. */
const inDoubt: ReadonlySet<string> = new Set(["internal_error", "fatal_error"]);

/** The work was not done, and may succeed later. */
const later: ReadonlySet<string> = new Set([
  "ratelimited",
  "rate_limited",
  "service_unavailable",
  "request_timeout",
  "team_added_to_org",
]);

const sentences = {
  // Credentials and permissions
  "invalid_auth not_authed token_revoked token_expired account_inactive":
    "Slack rejected the token. Install the app again, and give the connection the new bot token, or authorize it again.",
  missing_scope: "The Slack app lacks a permission for this call. Add it, and install the app again.",
  "no_permission access_denied": "The Slack app may not do this.",
  "restricted_action restricted_action_read_only_channel restricted_action_thread_only_channel":
    "The settings of the workspace or of the channel do not let the app post there.",
  ekm_access_denied: "The administrators of the workspace have suspended posting.",
  org_login_required: "The workspace is being moved to an organization. Install the app there.",

  // Channels and people
  channel_not_found:
    "Slack finds no such channel, or the app cannot see it. Give the channel's id, and invite the app to a private channel.",
  not_in_channel: "The Slack app is not a member of the channel. Invite it there.",
  is_archived: "The channel is archived.",
  "user_not_found users_not_found": "Slack finds no such person in the workspace.",
  user_not_visible: "The Slack app cannot see this person.",
  user_disabled: "The person's account is deactivated.",
  user_not_in_channel: "The person is not a member of the channel.",
  "not_enough_users users_list_not_supplied": "A conversation needs at least one person.",
  too_many_users: "The conversation has more people than Slack allows.",

  // Messages
  "msg_too_long msg_blocks_too_long": "The message is longer than Slack allows.",
  no_text: "The message has no text.",
  "invalid_blocks invalid_blocks_format": "Slack does not accept the blocks of the message.",
  "message_not_found thread_not_found": "The channel has no such message.",
  cant_update_message: "The Slack app can only change its own messages.",
  edit_window_closed: "The message is too old to be changed.",

  // The service
  "ratelimited rate_limited": "Slack accepts no more calls at the moment.",
  "service_unavailable request_timeout": "Slack could not take the call.",
  team_added_to_org: "The workspace is being moved to an organization, and accepts no calls meanwhile.",
  "internal_error fatal_error": "Slack failed, and may have done a part of the work.",
};

const messages: ReadonlyMap<string, string> = new Map(
  Object.entries(sentences).flatMap(([errors, message]) => errors.split(" ").map((error) => [error, message])),
);
