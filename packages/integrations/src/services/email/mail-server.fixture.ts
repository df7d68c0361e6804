import type { AddressInfo, Server, Socket } from "node:net";
import { createServer } from "node:net";
import { serverCertificate, testAuthority } from "@procedo-testing/certificates";
import {
  createEgress,
  createRedactor,
  guardedConnect,
  type CallContext,
  type Egress,
  type EgressOptions,
  type GuardedConnection,
} from "@procedo/engine";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";
import { email } from "./email.ts";

/** A message as a server got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The person who logged in. */
  readonly user: unknown;
  readonly isEncrypted: boolean;
  /** The bytes without dot-stuffing, as UTF-8. */
  readonly raw: string;
}

/** A mail server on loopback, which takes mail of one user over STARTTLS. */
export interface MailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Breaks all connections. */
  cut(): void;
}

/** The login that the server accepts. */
export const login = { user: "finance@acme.example", password: "correct-horse-9" } as const;

/** An answer of the server in place of its usual one. */
export function answer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Starts a server. `onMail` is called when a message has arrived, and before it is answered. */
export async function mailServer(
  options: SMTPServerOptions = {},
  onMail: (server: MailServer) => Error | "silent" | undefined = () => undefined,
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    ...serverCertificate,
    logger: false,
    // A name server would be asked for the name of 127.0.0.1.
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, callback) => {
      if (username === login.user && password === login.password) callback(null, { user: username });
      else callback(answer(535, "5.7.8 Authentication credentials invalid"));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          isEncrypted: session.secure,
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        const answered = onMail(server);
        if (answered !== "silent") callback(answered ?? null);
      });
    },
    ...options,
  });
  smtp.on("error", () => undefined);
  const cut = (): void => {
    for (const { _socket: uppermost } of smtp.connections) uppermost.destroy();
  };
  const server: MailServer = { port: await listenOn(smtp.server), mails, cut };
  onTestFinished(() => {
    cut();
    return new Promise<void>((resolve) => smtp.close(() => resolve()));
  });
  return server;
}

/**
 * Starts a server that says each of these lines in turn: the first to each connection, the others after each command. It
 * closes the connection after a line without an end, and after the last one.
 */
export async function scriptedServer(
  lines: readonly string[],
): Promise<{ readonly port: number; readonly commands: readonly string[] }> {
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let at = 0;
    const say = (): void => {
      const text = lines[at++];
      if (text === undefined) socket.destroy();
      else if (text.endsWith("\n")) socket.write(text);
      else socket.end(text);
    };
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      commands.push(...chunk.toString().split("\r\n").filter(Boolean));
      say();
    });
    say();
  });
  const port = await listenOn(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { port, commands };
}

async function listenOn(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A call of the integration with a connection to a server on this machine. */
export interface TriedCall {
  readonly settings?: object;
  readonly password?: string | undefined;
  readonly args?: object;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly egress?: EgressOptions;
  /** The client of the call. @defaultValue one of its own, with the options `egress` */
  readonly client?: Egress;
  /** Called before each use of the connection. */
  readonly beforeSend?: () => string | undefined;
  /** Called with each connection before it is used. */
  readonly onConnection?: (connection: GuardedConnection) => GuardedConnection;
}

export const message = { to: ["ana@example.com"], subject: "Invoice 1007", text: "Please pay.\n" };

/** Calls an action. Resolves with its answer or its error. */
export async function call(action: "send" | "verify", port: number, tried: TriedCall = {}): Promise<Outcome> {
  const context = contextOf(port, tried);
  const found = email({ ports: [port] }).actions.get(action);
  const args = { ...(action === "send" && message), ...tried.args };
  const [violation] = found?.check(args) ?? [];
  if (violation !== undefined) return { error: new Error(`${violation.path} ${violation.message}`) };
  try {
    return { answer: await found?.call(args, context) };
  } catch (error) {
    return { error };
  }
}

/** The answer of a call, or its error. */
export interface Outcome {
  readonly answer?: unknown;
  readonly error?: unknown;
}

/** A client that reaches this machine, and trusts the authority of the tests. */
export function localClient(options: EgressOptions = {}): Egress {
  const client = createEgress({ allowNetworks: ["127.0.0.0/8"], ca: testAuthority, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The context of a call. */
export function contextOf(port: number, tried: TriedCall = {}): CallContext {
  const password = "password" in tried ? tried.password : login.password;
  const secrets: Record<string, string> = password === undefined ? {} : { password };
  const signal = tried.signal ?? new AbortController().signal;
  const { beforeSend = () => undefined, client = localClient(tried.egress) } = tried;
  const connect = guardedConnect(client, { signal, beforeSend });
  return {
    ...{ action: "send", attempt: 1, environment: "sandbox", nodeId: "mail", signal, secrets },
    idempotencyKey: tried.idempotencyKey ?? "AbCdEfGhIjKlMnOpQrStUvWxYz012345",
    run: { runId: "run_1", procedureId: "p", procedureVersion: "1" },
    settings: { host: "127.0.0.1", port, from: login.user, ...tried.settings },
    redactor: createRedactor(Object.values(secrets)),
    fetch: () => Promise.reject(new Error("mail needs no HTTP")),
    connect: async (destination) => {
      const opened = await connect(destination);
      return tried.onConnection?.(opened) ?? opened;
    },
  };
}

/** A header of a message, unfolded and decoded. */
export function header(raw: string, name: string): string | undefined {
  const head = (raw.split("\r\n\r\n")[0] ?? "").replaceAll(/\r\n(?=[ \t])/g, "");
  const found = head.split("\r\n").find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  return found
    ?.slice(name.length + 2)
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/(?:=\?UTF-8\?[BQ]\?[^?]*\?=)+/g, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/g)].map(([, kind, text = ""]) => word(kind, text)),
      ).toString(),
    );
}

function word(kind: string | undefined, text: string): Buffer {
  return kind === "B" ? Buffer.from(text, "base64") : quotedPrintable(text.replaceAll("_", " "));
}

/** The text of a message of one part, with line feeds. */
export function textOf(raw: string): string {
  const body = raw.slice(raw.indexOf("\r\n\r\n") + 4);
  const encoding = header(raw, "Content-Transfer-Encoding");
  const decoded =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : encoding === "7bit"
        ? Buffer.from(body)
        : quotedPrintable(body);
  return decoded.toString().replaceAll("\r\n", "\n");
}

function quotedPrintable(text: string): Buffer {
  const joined = text.replaceAll("=\r\n", "");
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_code, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1");
}
