import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { answer, call, login, mailServer, scriptedServer } from "./mail-server.fixture.ts";

const said = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
/** A connection to a server of lines. */
const relay = { settings: { security: "none" }, password: undefined };

/** The dialogue of a relay up to the reply to DATA. */
const upToData = ["220 ready\r\n", "250 hello\r\n", "250 sender\r\n", "250 recipient\r\n", "354 go ahead\r\n"];

describe("a refusal", () => {
  test("of a wrong password is final, and names neither password nor login text", async () => {
    const server = await mailServer();
    const { error } = await call("send", server.port, { password: "wrong-horse-9" });
    expect(error).toMatchObject({
      ...{ outcome: "refused", mayRetry: false, failureDetails: { status: 535 } },
      message:
        'The mail server "127.0.0.1" did not accept the user and password: 535 5.7.8 Authentication credentials invalid',
    });
    expect(shown(error)).not.toMatch(/wrong-horse/);
    expect(server.mails).toEqual([]);
  });

  test("that repeats the login does not show it", async () => {
    const token = Buffer.from(`\0${login.user}\0${login.password}`).toString("base64");
    const server = await mailServer({
      onAuth: (_auth, _session, done) => done(answer(535, `no such login: AUTH PLAIN ${token} ${login.password}`)),
    });
    const { error } = await call("send", server.port);
    expect(error).toMatchObject({ outcome: "refused", message: said(/no such login/) });
    expect(shown(error)).not.toContain(token);
    expect(shown(error)).not.toContain(login.password);
  });

  test.each([
    [
      "of the login",
      { onAuth: refuse(454, "4.7.0 later") },
      /cannot check the login at the moment: 454 4\.7\.0 later$/,
      true,
    ],
    [
      "of the sender",
      { onMailFrom: refuse(550, "5.7.1 who?") },
      /does not take messages of this sender: 550 5\.7\.1 who\?$/,
      false,
    ],
    [
      "of the sender for now",
      { onMailFrom: refuse(451, "later") },
      /no message of this sender at the moment: 451 later$/,
      true,
    ],
    [
      "of all recipients",
      { onRcptTo: refuse(550, "5.1.1 unknown") },
      /refused all recipients: 550 5\.1\.1 unknown$/,
      false,
    ],
    [
      "by greylisting",
      { onRcptTo: refuse(450, "4.2.0 Greylisted") },
      /no message for these recipients at the moment: 450 4\.2\.0 Greylisted$/,
      true,
    ],
    ["of every client", { onConnect: refuse(554, "no service") }, /takes no mail from here: 554 no service/, false],
    ["of every client for now", { onConnect: refuse(421, "busy") }, /takes no mail at the moment: 421 busy/, true],
  ])("%s says so, and whether it is final", async (_what, options, message, mayRetry) => {
    for (const hidePIPELINING of [false, true]) {
      const server = await mailServer({ ...options, hidePIPELINING });
      const { error } = await call("send", server.port);
      expect(error).toMatchObject({ outcome: "refused", mayRetry, message: said(message) });
      expect(error).toMatchObject({ retryAfterMs: mayRetry ? 300_000 : undefined });
      expect(error).toMatchObject({ exchange: { request: { method: "SEND" }, response: { headers: {} } } });
      expect(server.mails).toEqual([]);
    }
  });

  test.each([
    [552, "5.3.4 too large", false],
    [554, "5.6.0 spam", false],
    [451, "4.3.0 disk full", true],
  ])("of the whole message with %i is known not to be sent", async (code, text, mayRetry) => {
    const server = await mailServer({}, () => answer(code, text));
    const { error } = await call("send", server.port);
    expect(error).toMatchObject({ outcome: "refused", mayRetry, message: said(new RegExp(`: ${code} ${text}$`)) });
    expect(server.mails).toHaveLength(1);
  });

  test("of a message that is longer than the server takes comes before it is sent", async () => {
    const server = await mailServer({ size: 1_000 });
    const { error } = await call("send", server.port, { args: { text: "x".repeat(2_000) } });
    expect(error).toMatchObject({ mayRetry: false, message: said(/552|larger/) });
    expect(server.mails).toEqual([]);
  });

  test("of some recipients is no failure: the answer names them", async () => {
    const server = await mailServer({
      onRcptTo: ({ address }, _session, done) => {
        if (address.startsWith("gone")) done(answer(550, "5.1.1 unknown"));
        else if (address.startsWith("late")) done(answer(450, "4.2.0 Greylisted"));
        else done();
      },
    });
    const args = { to: ["ana@example.com", "gone@example.com"], bcc: ["late@example.com"] };
    const { answer: sent } = await call("send", server.port, { args });
    expect(sent).toMatchObject({
      output: {
        accepted: ["ana@example.com"],
        rejected: [
          { address: "gone@example.com", code: 550, reason: "550 5.1.1 unknown", temporary: false },
          { address: "late@example.com", code: 450, reason: "450 4.2.0 Greylisted", temporary: true },
        ],
      },
      exchange: { response: { status: 250, body: { rejected: [{ code: 550 }, { code: 450 }] } } },
    });
    expect(server.mails).toMatchObject([{ to: ["ana@example.com"] }]);
  });

  test("of all recipients is not final when one of them is put off", async () => {
    const server = await mailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith("gone") ? answer(550, "no") : answer(450, "later")),
    });
    const { error } = await call("send", server.port, { args: { to: ["late@example.com", "gone@example.com"] } });
    expect(error).toMatchObject({
      outcome: "refused",
      mayRetry: true,
      failureDetails: { body: { rejected: [{}, {}] } },
    });
  });

  test("for want of a login says that a password is needed", async () => {
    const server = await mailServer();
    const { error } = await call("send", server.port, { password: undefined });
    expect(error).toMatchObject({ outcome: "refused", mayRetry: false, message: said(/only after a login/) });
  });
});

describe("an outcome is unknown", () => {
  test("when the connection breaks after the message was sent and before its answer", async () => {
    const server = await mailServer({}, (broken) => {
      broken.cut();
      return "silent";
    });
    const { error } = await call("send", server.port);
    expect(error).toMatchObject({ outcome: "unknown", message: said(/The message may have been delivered\.$/) });
    expect(error).toMatchObject({ exchange: { request: { method: "SEND", headers: { Subject: "Invoice 1007" } } } });
    expect(server.mails).toHaveLength(1);
  });

  test("when the call ends in that moment", async () => {
    const ended = new AbortController();
    const server = await mailServer({}, () => {
      ended.abort(new Error("The call took too long."));
      return "silent";
    });
    const { error } = await call("send", server.port, { signal: ended.signal });
    expect(error).toMatchObject({ outcome: "unknown", cause: { message: "The call took too long." } });
  });

  test.each(["what?\r\n", "354 again\r\n", "451 half of a line", ""])("when the answer is %j", async (last) => {
    const server = await scriptedServer([...upToData, ...(last === "" ? [] : [last])]);
    const { error } = await call("send", server.port, relay);
    expect(server.commands).toContain(".");
    expect(error).toMatchObject({ outcome: "unknown" });
  });
});

describe("nothing was sent", () => {
  test.each(upToData.map((_line, at) => [at, upToData.slice(0, at)] as const))(
    "when the connection breaks after %i answers",
    async (_count, lines) => {
      const server = await scriptedServer(lines);
      const { error } = await call("send", server.port, relay);
      expect(error).toMatchObject({
        outcome: "not_sent",
        mayRetry: true,
        message: said(/before the message was sent/),
      });
      expect(server.commands).not.toContain(".");
    },
  );

  test("when the server is none for mail", async () => {
    const server = await scriptedServer(["HTTP/1.1 400 Bad Request\r\n\r\n"]);
    const { error } = await call("send", server.port, relay);
    expect(error).toMatchObject({ outcome: "not_sent", message: said(/it is not a mail server/) });
  });

  test("when nothing listens", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(await call("send", port)).toMatchObject({ error: { failure: "connect", sent: "no" } });
  });

  test("when the call ends before the message", async () => {
    const ended = new AbortController();
    const server = await mailServer({
      onRcptTo: () => ended.abort(new Error("The run was cancelled.")),
      hidePIPELINING: true,
    });
    const { error } = await call("send", server.port, { signal: ended.signal });
    expect(error).toMatchObject({ outcome: "not_sent", cause: { message: "The run was cancelled." } });
    const before = await call("send", server.port, { signal: AbortSignal.abort() });
    expect(before).toMatchObject({ error: { failure: "aborted", sent: "no" } });
    expect(server.mails).toEqual([]);
  });

  test("when the worker may not act any more once the server is ready", async () => {
    const server = await mailServer();
    const reasons = [undefined, "The lease ended."];
    const { error } = await call("send", server.port, { beforeSend: () => reasons.shift() });
    expect(error).toMatchObject({ failure: "withheld", sent: "no", message: said(/The lease ended\.$/) });
    expect(server.mails).toEqual([]);
  });

  test("when an address needs what the server cannot do", async () => {
    const server = await mailServer({ hideSMTPUTF8: true });
    const { error } = await call("send", server.port, { args: { to: ["zoë@example.com"] } });
    expect(error).toMatchObject({
      outcome: "not_sent",
      mayRetry: false,
      message: said(/beyond ASCII \(SMTPUTF8\): zoë@/),
    });
    const able = await mailServer();
    expect(await call("send", able.port, { args: { to: ["zoë@example.com"] } })).toMatchObject({ answer: {} });
    expect(able.mails).toMatchObject([{ to: ["zoë@example.com"] }]);
  });

  test("when the server offers no login for the password", async () => {
    const server = await mailServer({ disabledCommands: ["AUTH"], authOptional: true });
    const { error } = await call("send", server.port);
    expect(error).toMatchObject({ outcome: "not_sent", mayRetry: false, message: said(/offers no login/) });
  });

  test("when the connection names a user without a password", async () => {
    const server = await mailServer();
    const { error } = await call("send", server.port, { settings: { user: "ana" }, password: undefined });
    expect(error).toMatchObject({
      outcome: "not_sent",
      mayRetry: false,
      message: said(/the password is missing for the user "ana"/),
    });
  });
});

test.each(["PLAIN", "LOGIN", "CRAM-MD5"])("a login by %s is made", async (method) => {
  const server = await mailServer({
    authMethods: [method],
    onAuth: (auth, _session, done) => {
      const isRight = method === "CRAM-MD5" ? auth.validatePassword(login.password) : auth.password === login.password;
      if (isRight) done(null, { user: auth.username });
      else done(answer(535, "no"));
    },
  });
  expect(await call("send", server.port)).toMatchObject({ answer: {} });
  expect(server.mails).toMatchObject([{ user: login.user }]);
});

function refuse(code: number, text: string) {
  return (...args: readonly unknown[]): void => (args.at(-1) as (error: Error) => void)(answer(code, text));
}

function shown(error: unknown): string {
  return JSON.stringify([error, error instanceof Error ? [error.message, error.stack, String(error.cause)] : ""]);
}
