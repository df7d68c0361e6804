import type { JsonObject } from "@procedo/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCalling, type Calling } from "../calling.ts";
import { pathOf, textOf } from "../shared-documents.ts";
import { expectRequest, type Demanded } from "./expect-request.ts";

const document = textOf(pathOf("real", "slack-web-openapi-v2.json"));
let calling: Calling;
beforeAll(async () => {
  calling = await openCalling(document);
});
afterAll(() => calling.close());

const token = "xoxb-1";

const calls: readonly (readonly [name: string, args: JsonObject, demanded: Demanded])[] = [
  ["api_test", { foo: "bar" }, { method: "GET", path: "/api.test", query: [["foo", "bar"]] }],
  // The token is a header of some operations, …
  ["auth_test", { token }, { method: "GET", path: "/auth.test", headers: { token } }],
  [
    // … a query parameter of others, …
    "conversations_list",
    { token, exclude_archived: true, types: "public_channel,im", limit: 20 },
    {
      method: "GET",
      path: "/conversations.list",
      query: [
        ["token", token],
        ["exclude_archived", "true"],
        ["types", "public_channel,im"],
        ["limit", "20"],
      ],
    },
  ],
  [
    // … and a form member of others.
    "admin_emoji_rename",
    { token, name: "old", new_name: "new" },
    {
      method: "POST",
      path: "/admin.emoji.rename",
      form: [
        ["token", token],
        ["name", "old"],
        ["new_name", "new"],
      ],
    },
  ],
  [
    "chat_postMessage",
    { token, channel: "C1", text: "Paid: 100% & more\n= done", link_names: true },
    {
      method: "POST",
      path: "/chat.postMessage",
      headers: { token },
      form: [
        ["channel", "C1"],
        ["text", "Paid: 100% & more\n= done"],
        ["link_names", "true"],
      ],
    },
  ],
  [
    "admin_users_setExpiration",
    { token, team_id: "T1", user_id: "U1", expiration_ts: 1_700_000_000 },
    {
      method: "POST",
      path: "/admin.users.setExpiration",
      headers: { token },
      form: [
        ["team_id", "T1"],
        ["user_id", "U1"],
        ["expiration_ts", "1700000000"],
      ],
    },
  ],
  [
    "files_upload",
    { token, content: "a,b\n1,2", filename: "a.csv", channels: "C1,C2" },
    {
      method: "POST",
      path: "/files.upload",
      form: [
        ["token", token],
        ["content", "a,b\n1,2"],
        ["filename", "a.csv"],
        ["channels", "C1,C2"],
      ],
    },
  ],
  [
    "users_lookupByEmail",
    { token, email: "ana+test@example.com" },
    {
      method: "GET",
      path: "/users.lookupByEmail",
      query: [
        ["token", token],
        ["email", "ana+test@example.com"],
      ],
    },
  ],
  [
    "views_update",
    { token, view_id: "V1", view: '{"type":"modal"}' },
    {
      method: "GET",
      path: "/views.update",
      headers: { token },
      query: [
        ["view_id", "V1"],
        ["view", '{"type":"modal"}'],
      ],
    },
  ],
  [
    "oauth_access",
    { client_id: "1.2", client_secret: "s", code: "c", redirect_uri: "https://example.com/?a=b" },
    {
      method: "GET",
      path: "/oauth.access",
      query: [
        ["client_id", "1.2"],
        ["client_secret", "s"],
        ["code", "c"],
        ["redirect_uri", "https://example.com/?a=b"],
      ],
    },
  ],
];

describe("slack: ten peculiar operations, as received by a server", () => {
  test.each(calls)("%s", async (name, args, demanded) => {
    await expectRequest(await calling.send(name, args), demanded);
  });

  test("a token that the connection supplies is not an input", async () => {
    const authentication = { method: "api_key_header", header: "token" } as const;
    const own = await openCalling(document, { authentication, secrets: { apiKey: token } });
    try {
      expect(own.actions.get("auth_test")?.input).toMatchObject({ properties: {}, additionalProperties: false });
      await expectRequest(await own.send("auth_test", {}), { method: "GET", path: "/auth.test", headers: { token } });
    } finally {
      await own.close();
    }
  });
});
