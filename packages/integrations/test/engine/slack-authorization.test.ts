import { expect, test } from "vitest";
import { slack } from "../../src/services/index.ts";
import { connectionToAuthorize } from "./authorized-connection.ts";

const clientSecret = "cl1ent-s3cret-of-slack";
const token = "xoxe.xoxb-1-t0ken-of-the-bot";
const granted = {
  ...{ ok: true, access_token: token, token_type: "bot", scope: "chat:write,users:read", bot_user_id: "U0ROBOT" },
  ...{ app_id: "A0ROBOT", team: { id: "T0BOOKS", name: "Books" }, expires_in: 43_200, refresh_token: "xoxe-1-r3fresh" },
};
const identity = { ok: true, team: "Books", team_id: "T0BOOKS" };

const workspace = () =>
  connectionToAuthorize((origin) => slack({ baseUrl: `${origin}/api` }), {
    settings: { clientId: "2141029472.691202649728" },
    secrets: { clientSecret },
  });

test("16: a person authorizes a bot at Slack, whose token is of the type bot, and calls carry it", async () => {
  const { answer, authorize, run, engine, place } = await workspace();
  const arrived = answer(granted, identity, { ok: true, channel: "C0BILLS", ts: "1764244800.000100" });
  const { asked, finished } = await authorize();
  expect(asked.get("scope")).toBe("chat:write users:read users:read.email channels:read im:write");
  expect(finished.account).toEqual({ id: "T0BOOKS", name: "Books" });
  expect((await engine.connections.get(place)).oauth).toMatchObject({
    ...{ status: "connected", scopesGranted: ["chat:write", "users:read"] },
  });
  const done = await run("post_message", { channel: "C0BILLS", text: "Invoice 1007" });
  expect(done).toMatchObject({ status: "completed" });
  expect(arrived.map(({ request }) => request)).toEqual([
    "POST /api/oauth.v2.access",
    "GET /api/auth.test",
    "POST /api/chat.postMessage",
  ]);
  expect(arrived[0]?.headers["authorization"]).toMatch(/^Basic /);
  expect(arrived.slice(1).map(({ headers }) => headers["authorization"])).toEqual([
    `Bearer ${token}`,
    `Bearer ${token}`,
  ]);
  expect(JSON.stringify(done)).not.toContain(token);
});

test("a code that Slack refuses with the status 200 authorizes nothing", async () => {
  const { answer, authorize, status } = await workspace();
  answer({ ok: false, error: "invalid_code" });
  await expect(authorize()).rejects.toMatchObject({ code: "oauth_failed" });
  expect(await status()).toBe("not_connected");
});

test.each([
  ["invalid_refresh_token", "needs_authorization", "needs_authorization"],
  ["token_revoked", "needs_authorization", "needs_authorization"],
  ["internal_error", "oauth_failed", "connected"],
  ["ratelimited", "oauth_failed", "connected"],
])(
  "16: a refresh that Slack answers with 200 and %s fails with %s, and leaves the connection %s",
  async (error, code, left) => {
    const { answer, authorize, status, engine, place } = await workspace();
    answer(granted, identity, { ok: false, error });
    await authorize();
    await expect(engine.authorizations.refresh(place)).rejects.toMatchObject({ code });
    expect(await status()).toBe(left);
  },
);
