import { describe, expect, test } from "vitest";
import { call, scriptedServer } from "./mail-server.fixture.ts";

describe("arguments are refused that", () => {
  const breaks = ["\r\nBcc: eve@example.com", "\nX-Evil: 1", "\r", "\0", "\u2028", "\u0085"];
  const lines = ["subject", "to", "cc", "bcc", "replyTo", "name"] as const;
  test.each(lines.flatMap((field) => breaks.map((text) => [field, text] as const)))(
    "would begin another header: %s with %j",
    async (field, text) => {
      const server = await scriptedServer([]);
      const address = `ana@example.com${text}`;
      const args = {
        subject: { subject: `Invoice${text}` },
        to: { to: [address] },
        cc: { cc: [address] },
        bcc: { bcc: [{ address, name: "Ana" }] },
        replyTo: { replyTo: address },
        name: { to: [{ address: "ana@example.com", name: `Ana${text}` }] },
      }[field];
      const { error } = await call("send", server.port, { args });
      expect(String(error)).toMatch(/^Error: \/(subject|to|cc|bcc|replyTo)/);
      expect(server.commands).toEqual([]);
    },
  );

  test.each([
    ...[
      "",
      "ana",
      "ana@",
      "@example.com",
      "a b@example.com",
      "ana@example.com>",
      "<ana@example.com>",
      "ana@exa mple.com",
    ],
    ...["ana@example.com, eve@example.com", '"ana"@example.com', "ana@example.com(x)", "ana@-", "ana@[127.0.0.1]"],
    ...["ana\\@example.com", "a;b@example.com", `${"a".repeat(65)}@example.com`, `ana@${"a".repeat(260)}`],
  ])("are no address: %j", async (address) => {
    const { error } = await call("send", 1, { args: { to: [address] } });
    expect(String(error)).toMatch(/^Error: \/to/);
  });

  test.each([
    ["no recipient", { to: [] }],
    ["101 recipients", { to: Array.from({ length: 101 }, (_, index) => `a${index}@example.com`) }],
    [
      "101 recipients with cc and bcc",
      { cc: Array.from({ length: 60 }, () => "c@example.com"), bcc: Array.from({ length: 40 }, () => "b@example.com") },
    ],
    ["a long subject", { subject: "x".repeat(501) }],
    ["a long text", { text: "x".repeat(200_001) }],
    ["half of a surrogate pair", { text: "\ud83d" }],
    ["an unknown argument", { attachments: [{ path: "/etc/passwd" }] }],
    ["an unknown member of a recipient", { to: [{ address: "a@example.com", name: "A", path: "/etc/passwd" }] }],
  ])("have %s", async (_what, args) => {
    const { error } = await call("send", 1, { args });
    expect(String(error)).toMatch(/^Error: (\/| Unrecognized key)/);
  });
});
