import { Readable } from "node:stream";
import type { Exchange, GuardedConnection } from "@procedo/engine";
import type SmtpClient from "nodemailer/lib/smtp-connection";
import { domainOf, loginOf, securityOf, unusable, type EmailContext } from "./email-connection.ts";
import type { ComposedMessage } from "./email-message.ts";
import { loadMailLibrary } from "./mail-library.ts";
import { rejectedRecipients, smtpFailure, type RejectedRecipient } from "./smtp-failure.ts";

/** The server's answers to a message that it took. */
export interface SmtpReceipt {
  /** Recipients for whom the server took the message. */
  readonly accepted: readonly string[];
  /** Recipients that it refused. */
  readonly rejected: readonly RejectedRecipient[];
  /** Its last reply, with the status code. */
  readonly reply: string;
}

/** A conversation with a mail server, over a connection of the guarded client. */
export interface SmtpSession {
  /** @throws ActionError; its outcome is `unknown` when the connection broke between the message and its answer */
  send(message: ComposedMessage): Promise<SmtpReceipt>;
  /** Exchanges a command without effect. @throws ActionError */
  confirm(): Promise<void>;
  /** Says goodbye, and closes the connection. */
  close(): void;
}

/**
 * Connects, encrypts the connection, and logs in.
 *
 * @param request - the request that is recorded with a failure
 * @throws ActionError and EgressError; nothing was sent
 */
export async function openSession(
  { settings, secrets, redactor, connect, signal }: EmailContext,
  request: Exchange["request"],
): Promise<SmtpSession> {
  const { host, port } = settings;
  const security = securityOf(settings);
  const login = loginOf(settings, secrets);
  const { SmtpConnection } = await loadMailLibrary();
  const connection = await connect({ host, port });
  const { socket } = connection;
  if (security === "none" && connection.isPublic) {
    socket.destroy();
    throw unusable(`"${host}" is on the internet, where mail must be encrypted. Use \`starttls\` or \`tls\`.`);
  }
  const client = new SmtpConnection({
    ...{ host, port, connection: socket, tls: connection.tls },
    // The machine has no name of its own that the server could look up.
    name: domainOf(settings.from),
    ...{ secure: security === "tls", requireTLS: security === "starttls", ignoreTLS: security === "none" },
  });
  const dialogue = new Dialogue(client, connection);
  const end = (): void => {
    client.close();
    // The uppermost socket: destroying the one below TLS crashes Node.
    if (client._socket) client._socket.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  const close = (): void => {
    signal.removeEventListener("abort", end);
    client.close();
  };
  /** A step whose failure ends the conversation. */
  const step = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      if (signal.aborted) end();
      return await work();
    } catch (error) {
      close();
      const isUpgrading = client.upgrading === true;
      throw smtpFailure(error, { host, port, redactor, request, signal, isSent: dialogue.isSent, isUpgrading });
    }
  };
  const extensions = await step(async () => {
    await dialogue.answer((done) => client.connect(done));
    return String(client.lastServerResponse);
  });
  if (login !== undefined) {
    await step(async () => {
      if (!client.allowsAuth)
        throw unusable(`"${host}" port ${port} offers no login. Remove the password, or use port 587.`);
      await dialogue.answer((done) => client.login({ ...login, credentials: login }, done));
    });
  }
  return {
    send: (message) => step(() => dialogue.send(message, extensions)),
    confirm: async () => void (await step(() => dialogue.answer((done) => client.reset(done)))),
    close: () => {
      client.quit();
      close();
    },
  };
}

type Done<Value> = (error?: Error | null, value?: Value) => void;

/** The commands of a conversation. A wait for an answer ends when the connection does. */
class Dialogue {
  readonly #client: SmtpClient;
  readonly #connection: GuardedConnection;
  readonly #broken = Promise.withResolvers<never>();
  /** Whether the whole message was handed to the connection, so that the server may have taken it. */
  isSent = false;

  constructor(client: SmtpClient, connection: GuardedConnection) {
    this.#client = client;
    this.#connection = connection;
    this.#broken.promise.catch(() => undefined);
    client.on("error", (error) => this.#broken.reject(error));
    // A step that fails with the end of the connection has the better reason.
    client.once("end", () =>
      queueMicrotask(() => this.#broken.reject(Object.assign(new Error("Connection closed"), { code: "ECONNECTION" }))),
    );
  }

  async answer<Value>(begin: (done: Done<Value>) => void): Promise<Value | undefined> {
    const answered = Promise.withResolvers<Value | undefined>();
    begin((error, value) => (error ? answered.reject(error) : answered.resolve(value)));
    return await Promise.race([answered.promise, this.#broken.promise]);
  }

  async send({ envelope, bytes }: ComposedMessage, extensions: string): Promise<SmtpReceipt> {
    const wide = [envelope.from, ...envelope.to].find((address) => /\P{ASCII}/u.test(address));
    if (wide !== undefined && !/^250[ -]SMTPUTF8\b/im.test(extensions))
      throw unusable(`The mail server takes no address with characters beyond ASCII (SMTPUTF8): ${wide}.`);
    const source = Readable.from(pieces(bytes));
    source.once("end", () => (this.isSent = true));
    this.#connection.beforeSend();
    const given = { from: envelope.from, to: [...envelope.to], size: bytes.byteLength };
    const info = await this.answer<SentInfo>((done) => this.#client.send(given, source, done));
    return {
      accepted: (info?.accepted ?? []).map(String),
      rejected: rejectedRecipients(info?.rejectedErrors),
      reply: info?.response ?? "",
    };
  }
}

type SentInfo = Parameters<Parameters<SmtpClient["send"]>[2]>[1];

/** In pieces, so that a long message whose connection breaks on the way is known not to be sent. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
