import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { testAuthority } from "@procedo-testing/certificates";
import { createEngine, systemClock, type Engine } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { email } from "../../src/services/index.ts";
import {
  answer,
  header,
  login,
  mailServer,
  textOf,
  type MailServer,
} from "../../src/services/email/mail-server.fixture.ts";
import { by, sandbox } from "./ledger-engine.ts";

const reminding: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "remind",
  name: "Remind",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    {
      ...{ id: "mail", kind: "tool_call", title: "Send the reminder", connection: "mailbox", action: "send" },
      arguments: { to: "{{ input.to }}", subject: "Invoice {{ input.invoice }}", text: "It is due.\n" },
    },
    { id: "done", kind: "end", output: { sent: "{{ nodes.mail.output }}" } },
    {
      id: "failed",
      kind: "end",
      output: { status: "{{ nodes.mail.error.status }}", reason: "{{ nodes.mail.error.reason }}" },
    },
  ],
  edges: [
    { from: "start", to: "mail" },
    { from: "mail", to: "done" },
    { from: "mail", branch: "error", to: "failed" },
  ],
};
const asking: ProcedureDocument = {
  ...reminding,
  nodes: reminding.nodes.map((node) => (node.kind === "tool_call" ? { ...node, onUnknownOutcome: "review" } : node)),
};
const data = { to: ["ana@example.com"], invoice: "1007" };

/** An engine that may have a connection to a mailbox, and its log. */
async function mailbox(server: MailServer, allowNetworks = ["127.0.0.0/8"], document = reminding) {
  const logged: unknown[] = [];
  const log = (...line: readonly unknown[]) => void logged.push(line);
  const engine = createEngine({
    storage: createMemoryStorage({ now: systemClock.now }),
    ...{ masterKey: new Uint8Array(32).fill(7), egress: { allowNetworks, ca: testAuthority } },
    integrations: [email({ ports: [server.port] })],
    log: { info: log, warn: log, error: log },
  });
  await engine.start();
  onTestFinished(() => engine.stop());
  const settings = { host: "127.0.0.1", port: server.port, from: login.user, fromName: "Acme Finance" };
  const secrets = { password: login.password };
  const connect = async (changes: JsonObject = {}) => {
    const connection = await engine.connections.create({
      ...{ name: "mailbox", integration: "email", ...sandbox, by },
      ...{ settings: { ...settings, ...changes }, secrets },
    });
    await engine.procedures.publish({ document, version: "v1", defaultIn: ["sandbox"], by });
    return connection;
  };
  return { engine, logged, connect, run: () => remind(engine) };
}

async function remind(engine: Engine) {
  const { runId } = await engine.runs.start({ procedureId: "remind", ...sandbox, data, by });
  const run = { ...sandbox, runId };
  const settled = async () => {
    const { status } = await engine.runs.get(run);
    expect(["completed", "awaiting_review", "failed"]).toContain(status);
  };
  await vi.waitFor(settled, { timeout: 90_000 });
  return { run, ...(await engine.runs.get(run)) };
}

describe("a procedure that sends a mail", () => {
  test("sends exactly one, and records it without the password", async () => {
    const server = await mailServer();
    const { connect, engine, logged, run } = await mailbox(server);
    const { connectionId } = await connect();
    expect(await engine.connections.test({ connectionId, ...sandbox, by })).toMatchObject({
      ok: true,
      account: { name: login.user },
    });
    const { run: started, status, output, steps } = await run();
    expect(status).toBe("completed");
    expect(server.mails).toHaveLength(1);
    const { raw = "" } = server.mails[0] ?? {};
    expect([header(raw, "From"), header(raw, "Subject"), textOf(raw)]).toEqual([
      "Acme Finance <finance@acme.example>",
      "Invoice 1007",
      "It is due.\n",
    ]);
    expect(output).toMatchObject({ sent: { messageId: header(raw, "Message-ID"), accepted: data.to, rejected: [] } });
    expect(steps[1]?.attempts).toMatchObject([
      {
        outcome: "ok",
        exchange: {
          request: { method: "SEND", headers: { Subject: "Invoice 1007" }, body: { envelope: { to: data.to } } },
          response: { status: 250 },
        },
      },
    ]);
    const place = { ...sandbox, connectionId };
    const shown = JSON.stringify([
      [steps, output, logged, await engine.connections.get(place), await engine.connections.test({ ...place, by })],
      [await engine.runs.journal(started), await engine.audit.exportRun(started)],
    ]);
    for (const secret of [login.password, `\0${login.user}\0${login.password}`]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(Buffer.from(secret).toString("base64"));
    }
  });

  /** A server that takes the first mail, and is gone before it says so. */
  const breakingServer = () =>
    mailServer({}, (broken) => {
      if (broken.mails.length > 1) return undefined;
      broken.cut();
      return "silent";
    });

  test("is sent again under the same id when the connection broke after the mail was sent", async () => {
    const server = await breakingServer();
    const { connect, engine, run: start } = await mailbox(server);
    await connect();
    const { run } = await start();
    await vi.waitFor(async () => expect((await engine.runs.get(run)).status).toBe("completed"), { timeout: 90_000 });
    const ids = server.mails.map(({ raw }) => header(raw, "Message-ID"));
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test("asks a person then, if the procedure says so", async () => {
    const server = await breakingServer();
    const { connect, engine, run: start } = await mailbox(server, undefined, asking);
    await connect();
    const { run, status } = await start();
    expect(status).toBe("awaiting_review");
    expect(server.mails).toHaveLength(1);
    expect(await engine.reviews.ofRun(run)).toMatchObject([{ kind: "outcome_unknown" }]);

    await engine.reviews.decide({ ...run, approved: true, idempotencyKey: crypto.randomUUID(), by: { person: "bob" } });
    await vi.waitFor(async () => expect((await engine.runs.get(run)).status).toBe("completed"), { timeout: 90_000 });
    const ids = server.mails.map(({ raw }) => header(raw, "Message-ID"));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("takes its error branch when the server refuses all recipients", async () => {
    const server = await mailServer({ onRcptTo: (_to, _session, done) => done(answer(550, "5.1.1 unknown")) });
    const { connect, run } = await mailbox(server);
    await connect();
    expect(await run()).toMatchObject({
      status: "completed",
      output: { status: 550, reason: "550 5.1.1 unknown" },
    });
    expect(server.mails).toEqual([]);
  });

  test("waits with its run for five minutes when the server puts it off", async () => {
    const server = await mailServer({ onRcptTo: (_to, _session, done) => done(answer(450, "4.2.0 Greylisted")) });
    const { connect, engine } = await mailbox(server);
    await connect();
    const startedAtMs = systemClock.now();
    const { runId } = await engine.runs.start({ procedureId: "remind", ...sandbox, data, by });
    const putOff = async () => {
      const { steps } = await engine.runs.get({ ...sandbox, runId });
      const [attempt] = steps[1]?.attempts ?? [];
      expect(attempt).toMatchObject({ outcome: "error", retryAtMs: expect.any(Number) as number });
      expect((attempt?.retryAtMs ?? 0) - startedAtMs).toBeGreaterThanOrEqual(300_000);
    };
    await vi.waitFor(putOff, { timeout: 90_000 });
  });
});

describe("a connection", () => {
  test("shows that its password is not accepted any more", async () => {
    const server = await mailServer({ onAuth: (_auth, _session, done) => done(answer(535, "5.7.8 no")) });
    const { connect, engine, run } = await mailbox(server);
    const { connectionId } = await connect();
    expect(await run()).toMatchObject({ status: "completed", output: { status: 535 } });
    const place = { connectionId, ...sandbox, by };
    expect((await engine.connections.get(place)).health).toMatchObject({ status: "failing" });
    expect(await engine.connections.test(place)).toEqual({
      ok: false,
      error: 'The mail server "127.0.0.1" did not accept the user and password: 535 5.7.8 no',
    });
  });

  test("to a private network is refused before it is saved, unless the operator allowed it", async () => {
    const server = await mailServer();
    const { connect } = await mailbox(server, []);
    for (const host of ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "::1"]) {
      await expect(connect({ host })).rejects.toMatchObject({ code: "destination_not_allowed", status: 422 });
    }
  });
});
