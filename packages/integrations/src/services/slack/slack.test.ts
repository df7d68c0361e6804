import type { JsonObject, JsonValue } from "@procedo/contract";
import { ActionError, strictJson, type InboundMessage } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { probeIntegration } from "../../testing/index.ts";
import { slackInbound } from "./slack-events.ts";
import { slackOAuthError, slackTokenRefusal } from "./slack-oauth.ts";
import { slackRefusal } from "./slack-refusals.ts";
import { callbackOf, commandOf, interactionOf, signedBySlack, slackConnection, slackProbe } from "./slack.probe.ts";
import { slack } from "./slack.ts";

const nowMs = Date.parse("2025-11-27T12:00:00Z");
const { settings, secrets, environment } = slackConnection;

function requestOf(
  body: string,
  headers: { readonly [name: string]: string } = signedBySlack(body, { nowMs, secrets }),
  given: typeof slackConnection.settings | JsonObject = settings,
): InboundMessage<JsonObject, typeof secrets> {
  const lines = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]));
  const bytes = new TextEncoder().encode(body);
  const header = (name: string) => lines.get(name.toLowerCase()) ?? [];
  return { header, body: bytes, json: () => strictJson(bytes), settings: given, secrets, environment, nowMs };
}

const posted = { type: "message", channel: "C0BILLS", channel_type: "channel", user: "U0CLERK", text: "Pay 1007" };
const at = (ts: string) => ({ ts, event_ts: ts });

function parsed(body: string, given?: JsonObject) {
  const events = slackInbound.parse(requestOf(body, undefined, given));
  return typeof events === "string" ? events : events.map(({ id, type }) => ({ id, type }));
}

test("Slack holds what integrations promise", async () => {
  expect(await probeIntegration(slackProbe)).toEqual([]);
});

describe("a message", () => {
  test("is one event under each of eleven event ids", () => {
    const ids = Array.from({ length: 11 }, (_, index) => {
      const body = callbackOf({ ...posted, ...at("1764244800.000100") }, { event_id: `Ev${index}`, event_time: index });
      return JSON.stringify(slackInbound.parse(requestOf(body)));
    });
    expect([...new Set(ids)].map((text) => (JSON.parse(text) as { id: string }[]).map(({ id }) => id))).toEqual([
      ["T0BOOKS:C0BILLS:1764244800.000100"],
    ]);
  });

  test("is two events when a person posts the same text twice", () => {
    expect(parsed(callbackOf({ ...posted, ...at("1764244800.000100") }))).not.toEqual(
      parsed(callbackOf({ ...posted, ...at("1764244801.000100") })),
    );
  });

  test("has its subtype in its id, and is no event when it tells of a change", () => {
    const ofSubtype = (subtype: string) => parsed(callbackOf({ ...posted, ...at("1764244800.000100"), subtype }));
    expect(ofSubtype("file_share")).toEqual([{ id: "T0BOOKS:C0BILLS:1764244800.000100:file_share", type: "message" }]);
    expect(ofSubtype("message_changed")).toEqual([]);
    expect(ofSubtype("channel_join")).toEqual([]);
  });

  test("of the app itself is no event, and one of another app is", () => {
    const ofApp = (app_id: string) => {
      const bot = { user: "U0BOT", bot_id: "B0BOT", bot_profile: { id: "B0BOT", name: "bot", app_id } };
      return parsed(callbackOf({ ...posted, ...bot, ...at("1764244800.000100") }));
    };
    expect(ofApp("A0ROBOT")).toEqual([]);
    expect(ofApp("A0OTHER")).toHaveLength(1);
    expect(parsed(callbackOf({ ...posted, user: "U0ROBOT", ...at("1764244800.000100") }))).toEqual([]);
  });

  test("and the mention in it are different events", () => {
    const mention = { type: "app_mention", channel: "C0BILLS", user: "U0CLERK", text: "<@U0ROBOT>" };
    expect(parsed(callbackOf({ ...mention, ...at("1764244800.000100") }))).toEqual([
      { id: "T0BOOKS:C0BILLS:1764244800.000100:app_mention", type: "app_mention" },
    ]);
  });

  test("has the time of its timestamp", () => {
    const events = slackInbound.parse(requestOf(callbackOf({ ...posted, ...at("1764244800.123456") })));
    expect(events).toMatchObject([{ occurredAtMs: 1_764_244_800_123 }]);
  });
});

test("a reaction of the app itself is no event", () => {
  const reaction = {
    type: "reaction_added",
    reaction: "eyes",
    item: { type: "message", channel: "C0BILLS", ts: "1.2" },
  };
  expect(parsed(callbackOf({ ...reaction, user: "U0ROBOT", event_ts: "1.3" }))).toEqual([]);
  expect(parsed(callbackOf({ ...reaction, user: "U0CLERK", event_ts: "1.3" }))).toEqual([
    { id: "Ev0000001", type: "reaction_added" },
  ]);
});

describe("an event of another workspace", () => {
  const message = { ...posted, ...at("1764244800.000100") };
  const elsewhere = { team_id: "T0OTHER", authorizations: [{ team_id: "T0OTHER", user_id: "U9", is_bot: true }] };

  test("is left out, where the connection names its own", () => {
    expect(parsed(callbackOf(message, elsewhere))).toEqual([]);
    expect(parsed(callbackOf(message, elsewhere), {})).toHaveLength(1);
  });

  test("is kept when it is also for this one, as in a shared channel", () => {
    expect(parsed(callbackOf(message, { ...elsewhere, context_team_id: "T0BOOKS" }))).toHaveLength(1);
  });

  test("is left out as a command and as an interaction", () => {
    const fields = { command: "/pay", text: "", api_app_id: "A0ROBOT" };
    const used = { type: "shortcut", callback_id: "new", user: { id: "U0CLERK" } };
    expect(parsed(commandOf({ ...fields, team_id: "T0OTHER" }))).toEqual([]);
    expect(parsed(commandOf({ ...fields, team_id: "T0BOOKS" }))).toHaveLength(1);
    expect(parsed(interactionOf({ ...used, team: { id: "T0OTHER" } }))).toEqual([]);
    expect(parsed(interactionOf({ ...used, team: { id: "T0BOOKS" } }))).toHaveLength(1);
  });
});

test("an event of another app is refused in each of its forms", () => {
  const other = { api_app_id: "A0TESTS" };
  const used = { type: "block_actions", team: { id: "T0BOOKS" }, user: { id: "U0CLERK" }, actions: [] };
  expect(parsed(callbackOf({ ...posted, ...at("1764244800.000100") }, other))).toBe("other_environment");
  expect(parsed(commandOf({ command: "/pay", text: "", team_id: "T0BOOKS", ...other }))).toBe("other_environment");
  expect(parsed(interactionOf({ ...used, ...other }))).toBe("other_environment");
});

test("commands and interactions show nothing that gives access", () => {
  const used = { type: "shortcut", callback_id: "new", team: { id: "T0BOOKS" }, user: { id: "U0CLERK" } };
  const bodies = [
    commandOf({ command: "/pay", text: "", team_id: "T0BOOKS", api_app_id: "A0ROBOT" }),
    interactionOf({ ...used, interactivity: { interactor: { secret: "s3cret" } }, bot_access_token: "xwfp-1" }),
  ];
  const texts = bodies.map((body) => JSON.stringify(slackInbound.parse(requestOf(body))));
  for (const text of texts) expect(text).not.toMatch(/verification-token|hooks\.slack|s3cret|xwfp/);
});

test("an interaction whose payload has a member twice is refused", () => {
  const payload = '{"type":"shortcut","trigger_id":"1","user":{"id":"U0CLERK"},"user":{"id":"U0OWNER"}}';
  const body = new URLSearchParams({ payload }).toString();
  expect(() => slackInbound.parse(requestOf(body))).toThrow(expect.objectContaining({ code: "malformed_request" }));
});

test("requests without an event are accepted", () => {
  const limited = { type: "app_rate_limited", team_id: "T0BOOKS", minute_rate_limited: 1, api_app_id: "A0ROBOT" };
  expect(parsed(JSON.stringify(limited))).toEqual([]);
  expect(parsed(interactionOf({ type: "view_closed", team: { id: "T0BOOKS" } }))).toEqual([]);
});

describe("the check of an address", () => {
  const body = JSON.stringify({ token: "t", challenge: "3eZbrw1aBm2rZgRNFdxV", type: "url_verification" });

  test("is answered with the challenge as text", () => {
    const request = requestOf(body);
    expect(slackInbound.verify(request)).toBe(true);
    expect(slackInbound.handshake?.(request)).toEqual({
      contentType: "text/plain; charset=utf-8",
      text: "3eZbrw1aBm2rZgRNFdxV",
    });
  });

  test("is not verified without a signature, or with one of ten minutes ago", () => {
    expect(slackInbound.verify(requestOf(body, {}))).toBe(false);
    expect(slackInbound.verify(requestOf(body, signedBySlack(body, { nowMs: nowMs - 600_000, secrets })))).toBe(false);
  });

  test("is no part of other requests", () => {
    expect(slackInbound.handshake?.(requestOf(callbackOf(posted)))).toBeUndefined();
    expect(slackInbound.handshake?.(requestOf(commandOf({ command: "/pay" })))).toBeUndefined();
  });
});

test("a request is refused whose time was sent twice, and any without a signing secret", () => {
  const body = callbackOf(posted);
  const request = requestOf(body);
  const twice = (name: string) =>
    /timestamp/i.test(name) ? [...request.header(name), ...request.header(name)] : request.header(name);
  expect(slackInbound.verify({ ...request, header: twice })).toBe(false);
  const { signingSecret: _secret, ...others } = secrets;
  expect(slackInbound.verify({ ...request, secrets: others })).toBe(false);
});

describe("a connection to Slack", () => {
  const { checkConnection, oauth } = slack();
  const clientId = "2141029472.691202649728";
  const clientSecret = "cl1ent-s3cret-of-slack";

  test.each<readonly [JsonObject, { readonly [name: string]: string }, readonly string[]]>([
    [{}, { botToken: secrets.botToken }, []],
    [{ clientId }, { clientSecret }, []],
    [{ clientId }, { botToken: secrets.botToken }, []],
    [{}, {}, ["/secrets/botToken"]],
    [{ clientId }, {}, ["/secrets/clientSecret"]],
    [{}, { clientSecret }, ["/settings/clientId"]],
    [{ clientId: "app" }, { clientSecret }, ["/settings/clientId"]],
    [{ clientId, scopes: ["chat:write users:read"] }, { clientSecret }, ["/settings/scopes/0"]],
  ])("with %j and the secrets %j has a bot token or a client: %j", (given, held, paths) => {
    expect(checkConnection(given, held).map(({ path }) => path)).toEqual(paths);
  });

  test("is authorized by a person where it has a client and no bot token", () => {
    const clientOf = (given: JsonObject, held: { readonly [name: string]: string }) =>
      oauth?.({ environment, settings: given, secrets: held });
    expect(clientOf({ clientId }, { clientSecret })).toMatchObject({
      ...{ grant: "authorization_code", clientId, clientSecret, clientAuthentication: "header" },
      ...{
        authorizationUrl: "https://slack.com/oauth/v2/authorize",
        tokenUrl: "https://slack.com/api/oauth.v2.access",
      },
      scopes: ["chat:write", "users:read", "users:read.email", "channels:read", "im:write"],
      origins: ["https://slack.com"],
    });
    expect(clientOf({ clientId, scopes: ["chat:write"] }, { clientSecret })?.scopes).toEqual(["chat:write"]);
    expect(clientOf({ clientId }, { clientSecret, botToken: secrets.botToken })).toBeUndefined();
    expect(clientOf({}, { botToken: secrets.botToken })).toBeUndefined();
  });

  test.each([
    ["invalid_refresh_token", "invalid_grant"],
    ["token_revoked", "invalid_grant"],
    ["account_inactive", "invalid_grant"],
    ["invalid_code", "invalid_grant"],
    ["bad_redirect_uri", "invalid_grant"],
    ["internal_error", "server_error"],
    ["ratelimited", "temporarily_unavailable"],
    ["bad_client_secret", "invalid_client"],
    ["a_new_error", "invalid_request"],
    [null, "invalid_request"],
  ])("reads the error %s of the authorization as %s", (error, standard) => {
    expect(slackOAuthError({ ok: false, error })).toBe(standard);
    expect(slackOAuthError({ ok: true, access_token: "t", error })).toBeUndefined();
  });
});

test.each<readonly [JsonValue, "refused" | "ended" | undefined]>([
  [{ ok: false, error: "token_revoked" }, "ended"],
  [{ ok: false, error: "account_inactive" }, "ended"],
  [{ ok: false, error: "invalid_auth" }, "refused"],
  [{ ok: false, error: "token_expired" }, "refused"],
  [{ ok: false, error: "missing_scope" }, undefined],
  [{ ok: false, error: "internal_error" }, undefined],
  [{ ok: false, error: "ratelimited" }, undefined],
  [{ ok: true, error: "token_revoked" }, undefined],
  [{ ok: true, message: { text: '{"ok":false,"error":"token_revoked"}' } }, undefined],
  [null, undefined],
  ["token_revoked", undefined],
])("the answer %j refuses the access token: %s", (body, said) => {
  expect(slackTokenRefusal({ body })).toBe(said);
});

describe("a refusal of Slack", () => {
  const refusal = (body: JsonValue) => slackRefusal({ body });

  test("is a sentence, although its status is 200", () => {
    expect(refusal({ ok: false, error: "not_in_channel" })).toEqual({
      message: "The Slack app is not a member of the channel. Invite it there.",
    });
    expect(refusal({ ok: false, error: "new_kind_of_error" })?.message).toBe(
      "Slack refused the call: new_kind_of_error.",
    );
  });

  test("names the permission that the app lacks", () => {
    const body = { ok: false, error: "missing_scope", needed: "users:read.email", provided: "chat:write" };
    expect(refusal(body)?.message).toContain("lacks the permission users:read.email.");
  });

  test("is repeated where Slack was busy, and in doubt where Slack failed", () => {
    expect(refusal({ ok: false, error: "ratelimited" })).toMatchObject({ retryable: true });
    expect(refusal({ ok: false, error: "internal_error" })).toMatchObject({ outcome: "unknown" });
  });

  test("is none in a result, or in an answer of a proxy", () => {
    for (const body of [{ ok: true }, "<html></html>", null, { ok: false, error: "Bad Gateway!" }]) {
      expect(refusal(body)).toBeUndefined();
    }
  });
});

test("a token of another workspace than the connection's is found by its account", async () => {
  const answer = JSON.stringify({ ok: true, team: "Other", team_id: "T0OTHER" });
  const fetch = () => Promise.resolve(new Response(answer, { headers: { "content-type": "application/json" } }));
  const redactor = { text: (text: string) => text, value: (value: JsonValue) => value, cut: (text: string) => text };
  const context = { environment, settings, secrets, signal: new AbortController().signal, fetch, redactor };
  await expect(slack().account?.(context as never)).rejects.toThrow(
    new ActionError("The token is one of the workspace T0OTHER, but the connection names T0BOOKS."),
  );
});
