import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expiredCertificate } from "@procedo-testing/certificates";
import { ActionError, EgressError } from "@procedo/engine";
import { compileSchema } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { probeIntegration } from "../../testing/index.ts";
import { email } from "./email.ts";
import {
  answer,
  call,
  contextOf,
  header,
  localClient,
  login,
  mailServer,
  scriptedServer,
  textOf,
} from "./mail-server.fixture.ts";

const taken = { messageId: expect.stringMatching(/^<[0-9a-f]{32}@acme\.example>$/) as string };

describe("a message", () => {
  test("is sent once, encrypted, by the user of the connection", async () => {
    const server = await mailServer();
    const { answer: sent } = await call("send", server.port, { settings: { fromName: "Acme Finance" } });
    expect(sent).toMatchObject({ output: { ...taken, accepted: ["ana@example.com"], rejected: [] } });
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: login.user, to: ["ana@example.com"], user: login.user, isEncrypted: true });
    const raw = mail?.raw ?? "";
    expect(header(raw, "From")).toBe("Acme Finance <finance@acme.example>");
    expect(header(raw, "To")).toBe("ana@example.com");
    expect(header(raw, "Subject")).toBe("Invoice 1007");
    expect(textOf(raw)).toBe("Please pay.\n");
  });

  test("has the same id in every attempt of a call, and another one in every other call", async () => {
    const server = await mailServer();
    for (const idempotencyKey of ["key-1", "key-1", "key-2"]) await call("send", server.port, { idempotencyKey });
    const [first, again, other] = server.mails.map(({ raw }) => header(raw, "Message-ID"));
    expect(first).toMatch(/^<[0-9a-f]{32}@acme\.example>$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test("goes to the recipients of to, cc and bcc, of whom those of bcc are not in it", async () => {
    const server = await mailServer();
    const named = { address: "bob@example.com", name: "Bob, Controller" };
    const args = { cc: [named], bcc: ["eve@example.com"], replyTo: "ap@acme.example" };
    await call("send", server.port, { args });
    const { to = [], raw = "" } = server.mails[0] ?? {};
    expect(to).toEqual(["ana@example.com", "bob@example.com", "eve@example.com"]);
    expect(header(raw, "Cc")).toBe('"Bob, Controller" <bob@example.com>');
    expect(header(raw, "Reply-To")).toBe("ap@acme.example");
    expect(raw).not.toContain("eve@");
  });

  test("keeps characters of all scripts in names, subject, text and domains", async () => {
    const server = await mailServer();
    const args = {
      to: [{ address: "zoe@bücher.example", name: 'Zoë "Z" 李' }],
      subject: "Fällige Rechnung – 請求書 № 7 ".repeat(8).trim(),
      text: "Grüße, 你好, здравствуйте 👋\n",
    };
    await call("send", server.port, { args, settings: { fromName: "Ünal & Söhne" } });
    const { to = [], raw = "" } = server.mails[0] ?? {};
    expect(to).toEqual(["zoe@bücher.example"]);
    expect(header(raw, "From")).toBe("Ünal & Söhne <finance@acme.example>");
    expect(header(raw, "To")).toBe('Zoë "Z" 李 <zoe@xn--bcher-kva.example>');
    expect(header(raw, "Subject")).toBe(args.subject);
    expect(textOf(raw)).toBe(args.text);
    expect(raw).toMatch(/^\p{ASCII}*$/u);
  });

  test("keeps long lines, dots at the beginning of lines, and a line that looks like its end", async () => {
    const server = await mailServer();
    const text = `.\n..\n.dot\n${"x".repeat(5_000)}\nFrom here\r\n.\r\nMAIL FROM:<eve@example.com>\r\n end \n`;
    await call("send", server.port, { args: { text } });
    expect(server.mails).toHaveLength(1);
    const { raw = "" } = server.mails[0] ?? {};
    expect(textOf(raw)).toBe(text.replaceAll("\r\n", "\n"));
    expect(Math.max(...raw.split("\r\n").map(({ length }) => length))).toBeLessThanOrEqual(998);
    expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  test("has both forms when it is given as HTML too", async () => {
    const server = await mailServer();
    await call("send", server.port, { args: { html: "<p>Please pay.</p>" } });
    const { raw = "" } = server.mails[0] ?? {};
    expect(header(raw, "Content-Type")).toMatch(/^multipart\/alternative/);
    expect(raw).toMatch(/text\/plain[\s\S]*Please pay\.[\s\S]*text\/html[\s\S]*<p>Please pay\.<\/p>/);
  });

  test("is recorded as it was sent, with the server's answer and without the password", async () => {
    const server = await mailServer();
    const { answer: sent } = await call("send", server.port, { args: { bcc: ["eve@example.com"] } });
    expect(sent).toMatchObject({
      exchange: {
        request: {
          method: "SEND",
          url: `smtp://127.0.0.1:${server.port}`,
          headers: { From: login.user, To: "ana@example.com", Subject: "Invoice 1007", "Message-ID": taken.messageId },
          body: { envelope: { from: login.user, to: ["ana@example.com", "eve@example.com"] }, text: "Please pay.\n" },
        },
        response: { status: 250, body: { reply: expect.stringMatching(/^250 /) as string, rejected: [] } },
      },
    });
    expectNoSecret(sent);
  });

  test("of fifty that are sent at once arrives, each with its own id", async () => {
    const server = await mailServer();
    const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`);
    const client = localClient();
    const sent = await Promise.all(keys.map((idempotencyKey) => call("send", server.port, { idempotencyKey, client })));
    expect(sent.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(new Set(server.mails.map(({ raw }) => header(raw, "Message-ID"))).size).toBe(50);
    expect(server.mails).toHaveLength(50);
  });
});

describe("a connection is encrypted, or nothing is sent", () => {
  test("by TLS from the start", async () => {
    const server = await mailServer({ secure: true });
    const { answer: sent } = await call("send", server.port, { settings: { security: "tls" } });
    expect(sent).toMatchObject({ output: taken });
    expect(server.mails).toMatchObject([{ isEncrypted: true }]);
  });

  test("by a certificate of the name in the settings", async () => {
    const server = await mailServer();
    const named = (host: string) =>
      call("send", server.port, { settings: { host }, egress: { resolve: async () => ["127.0.0.1"] } });
    expect(await named("api.procedo.test")).toMatchObject({ answer: { output: taken } });
    expect(await named("other.procedo.test")).toMatchObject({
      error: {
        failure: "tls",
        sent: "no",
        message: expect.stringMatching(/its certificate is for another name\.$/) as string,
      },
    });
    expect(server.mails).toHaveLength(1);
  });

  test.each([
    ["of an unknown authority", {}, { ca: "" }, "its certificate is of an authority that is not trusted"],
    ["that has expired", expiredCertificate, {}, "its certificate has expired"],
  ])("not by a certificate %s", async (_which, certificate, egress, reason) => {
    const isNever = { ...certificate };
    for (const security of ["starttls", "tls"] as const) {
      const server = await mailServer({ ...isNever, secure: security === "tls" });
      const { error } = await call("send", server.port, { settings: { security }, egress });
      expect(error).toBeInstanceOf(EgressError);
      expect(error).toMatchObject({ failure: "tls", sent: "no", message: expect.stringContaining(reason) as string });
      expect(server.mails).toEqual([]);
    }
  });

  test("not by a server that offers no STARTTLS but accepts mail without", async () => {
    const server = await mailServer({ disabledCommands: ["STARTTLS"], authOptional: true });
    const { error } = await call("send", server.port);
    expect(error).toMatchObject({
      failure: "tls",
      sent: "no",
      message: expect.stringMatching(/no encryption by STARTTLS/) as string,
    });
    expect(server.mails).toEqual([]);
  });

  test("not by a server that speaks no TLS, or never ends the handshake", async () => {
    const plain = await scriptedServer(["220 ready\r\n"]);
    expect(await call("send", plain.port, { settings: { security: "tls" } })).toMatchObject({
      error: {
        failure: "tls",
        sent: "no",
        message: expect.stringMatching(/does not speak TLS on this port/) as string,
      },
    });
    const stuck = await scriptedServer(["220 ready\r\n", "250-stuck\r\n250 STARTTLS\r\n", "220 go ahead\r\n"]);
    expect(await call("send", stuck.port)).toMatchObject({ error: { failure: "tls", sent: "no" } });
  });

  test("answers that were injected before the handshake are not believed", async () => {
    const injected = "220 go ahead\r\n250-evil\r\n250 AUTH PLAIN\r\n235 welcome\r\n250 ok\r\n";
    const server = await scriptedServer(["220 ready\r\n", "250-evil\r\n250 STARTTLS\r\n", injected]);
    expect(await call("send", server.port)).toMatchObject({ error: { failure: "tls", sent: "no" } });
    expect(server.commands.join()).not.toMatch(/AUTH|MAIL/);
  });

  test("except to a relay without login in a network that the operator allowed", async () => {
    const server = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"], authOptional: true });
    const relay = { settings: { security: "none" }, password: undefined };
    expect(await call("send", server.port, relay)).toMatchObject({ answer: { output: taken } });
    expect(server.mails).toMatchObject([{ isEncrypted: false, user: undefined }]);

    expect(await call("send", server.port, { settings: { security: "none" } })).toMatchObject({
      error: {
        outcome: "not_sent",
        mayRetry: false,
        message: expect.stringMatching(/the password must be left out without encryption/) as string,
      },
    });
    const onConnection = (connection: object) => ({ ...connection, isPublic: true }) as never;
    expect(await call("send", server.port, { ...relay, onConnection })).toMatchObject({
      error: { outcome: "not_sent", mayRetry: false, message: expect.stringMatching(/must be encrypted/) as string },
    });
    expect(server.mails).toHaveLength(1);
  });
});

test.each(["10.0.0.1", "169.254.169.254", "::1", "192.168.0.9"])(
  "no mail is sent through a host that leads to %s",
  async (address) => {
    const server = await mailServer();
    const egress = { allowNetworks: [], resolve: async () => [address] };
    for (const host of ["mail.test", address]) {
      const { error } = await call("send", server.port, { settings: { host }, egress });
      expect(error).toMatchObject({ code: "destination_not_allowed", sent: "no" });
    }
    expect(server.mails).toEqual([]);
  },
);

describe("the account of a connection", () => {
  test("is the mailbox that the login is for", async () => {
    const server = await mailServer();
    const { environment, ...context } = contextOf(server.port);
    expect(await email().account?.({ environment, ...context })).toEqual({
      id: "finance@acme.example at 127.0.0.1",
      name: "finance@acme.example",
    });
    expect(server.mails).toEqual([]);
  });

  test("is not found with a wrong password", async () => {
    const server = await mailServer();
    const context = contextOf(server.port, { password: "wrong-horse-9" });
    await expect(email().account?.(context)).rejects.toThrow(/did not accept the user and password: 535/);
  });
});

describe("verify", () => {
  test("says which mailbox the connection sends from", async () => {
    const server = await mailServer();
    const { answer: found } = await call("verify", server.port);
    const output = { from: login.user, user: login.user, host: "127.0.0.1", port: server.port, security: "starttls" };
    expect(found).toMatchObject({ output, exchange: { request: { method: "VERIFY" }, response: { status: 250 } } });
    expectNoSecret(found);
  });

  test("says that there is no login", async () => {
    const server = await mailServer({ authOptional: true });
    const { answer: found } = await call("verify", server.port, { password: undefined });
    expect(found).toMatchObject({ output: { user: null } });
  });

  test("fails as a message would", async () => {
    const server = await mailServer({ onMailFrom: (_address, _session, done) => done(answer(550, "never")) });
    expect(await call("verify", server.port, { password: "wrong-horse-9" })).toMatchObject({
      error: { outcome: "refused", mayRetry: false },
    });
    const silent = await scriptedServer(["220 ready\r\n", "250 ok\r\n", "502 no\r\n"]);
    const { error } = await call("verify", silent.port, { settings: { security: "none" }, password: undefined });
    expect(error).toBeInstanceOf(ActionError);
  });
});

test("e-mail holds what integrations promise, as far as they speak HTTP", async () => {
  const { environment, settings, secrets } = contextOf(587);
  const connection = { environment, settings, secrets };
  const elsewhere = ["account", "send", "verify"];
  expect(await probeIntegration(() => ({ integration: email(), connection, calls: {}, elsewhere }))).toEqual([]);
  for (const { input, output } of email().actions.values()) {
    for (const schema of [input, output]) expect(compileSchema(schema ?? {})).toMatchObject({ ok: true });
  }
});

test("nothing of the mail library is loaded before mail is sent", async () => {
  const services = new URL("../index.ts", import.meta.url).href;
  const code = `
    import { registerHooks } from "node:module";
    const load = (url, context, next) => (console.log(url), next(url, context));
    registerHooks({ load });
    const { services } = await import("${services}");
    services();`;
  const node = ["--conditions=@procedo/source", "--input-type=module", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, node);
  expect(stdout).toContain("services/email/email.ts");
  expect(stdout).not.toContain("nodemailer");
});

function expectNoSecret(value: unknown): void {
  const text = JSON.stringify(value);
  const { user, password } = login;
  for (const secret of [password, `\0${user}\0${password}`]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString("base64"));
  }
}
