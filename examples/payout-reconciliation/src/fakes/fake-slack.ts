import { z } from "@procedo/engine";
import { http, HttpResponse, type RequestHandler } from "msw";

/** A message in a channel. */
export interface PostedMessage {
  readonly channel: string;
  readonly text: string;
  /** The message's id within its channel. */
  readonly ts: string;
}

/** A Slack workspace with one channel. */
export interface FakeSlack {
  readonly handlers: readonly RequestHandler[];
  /** The messages of the channel, oldest first. */
  messages(): readonly PostedMessage[];
  /** Cuts the connection after the next message was posted, before the answer. */
  loseNextAnswer(): void;
}

const posting = z.object({ channel: z.string(), text: z.string().min(1) });

/**
 * Handlers of a Slack workspace. Slack refuses with the status 200 and `ok: false`.
 *
 * Source: https://docs.slack.dev/reference/methods/chat.postMessage
 */
export function fakeSlack(access: { readonly botToken: string; readonly channel: string }): FakeSlack {
  const messages: PostedMessage[] = [];
  let losesAnswer = false;
  return {
    handlers: [
      http.post("*/chat.postMessage", async ({ request }) => {
        if (request.headers.get("authorization") !== `Bearer ${access.botToken}`) return refused("invalid_auth");
        const { channel, text } = posting.parse(await request.json());
        if (channel !== access.channel) return refused("channel_not_found");
        const ts = `1795800000.${String(messages.length + 1).padStart(6, "0")}`;
        messages.push({ channel, text, ts });
        if (losesAnswer) {
          losesAnswer = false;
          return HttpResponse.error();
        }
        return HttpResponse.json({ ok: true, channel, ts, message: { type: "message", text, ts, bot_id: "B0ROBOT" } });
      }),
    ],
    messages: () => [...messages],
    loseNextAnswer: () => {
      losesAnswer = true;
    },
  };
}

function refused(error: string): Response {
  return HttpResponse.json({ ok: false, error });
}
