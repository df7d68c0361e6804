import { ActionError, EgressError, ProcedoError, type Exchange, type Redactor } from "@procedo/engine";
import * as z from "zod";

/** A recipient that the server refused. */
export interface RejectedRecipient {
  readonly address: string;
  /** Status code of the reply. */
  readonly code: number;
  /** The reply. */
  readonly reason: string;
  /** Whether the server may take a message later. */
  readonly temporary: boolean;
}

const reply = z.looseObject({
  message: z.string().catch(""),
  code: z.string().optional().catch(undefined),
  originalCode: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
  recipient: z.string().catch(""),
  rejectedErrors: z.array(z.unknown()).optional().catch(undefined),
});
type Reply = z.output<typeof reply>;

/** The state of the conversation that failed. */
export interface FailedConversation {
  readonly host: string;
  readonly port: number;
  readonly redactor: Redactor;
  /** The request, for the record. */
  readonly request: Exchange["request"];
  /** Whether the whole message was handed to the connection. */
  readonly isSent: boolean;
  /** Whether the connection was being encrypted. */
  readonly isUpgrading: boolean;
  readonly signal: AbortSignal;
}

/**
 * The pause before another attempt after a reply of 4xx, which has no pause in it. Servers that put off unknown senders
 * want five minutes.
 */
const laterMs = 5 * 60_000;

/** Maximum length of a reply in an error, in characters. */
const maxReplyChars = 500;

/** The error of a conversation, in words for people. The library's own error may quote the server, and is not kept. */
export function smtpFailure(error: unknown, at: FailedConversation): Error {
  if (ProcedoError.isError(error)) return error;
  const found = reply.parse(error instanceof Error ? Object.assign({ message: error.message }, error) : {});
  // The reason of an abort is the better message.
  const cause: unknown = at.signal.aborted ? at.signal.reason : undefined;
  const exchange = { request: at.request };
  const server = `"${at.host}" port ${at.port}`;
  if (at.isUpgrading) {
    const message = `The TLS connection to ${server} could not be established: ${tlsReason(found)}.`;
    return new EgressError("tls", message, { sent: "no", cause });
  }
  if (found.code === "ETLS") {
    const message = `${server} offers no encryption by STARTTLS, so that no mail is sent through it.`;
    return new EgressError("tls", message, { sent: "no", cause });
  }
  const { responseCode = 0 } = found;
  const isRefusal = responseCode >= 400 && responseCode < 600;
  if (at.isSent && !(isRefusal && found.code === "EMESSAGE")) {
    const message =
      `The connection to ${server} ended after the message was sent and before the server had answered. ` +
      "The message may have been delivered.";
    return new ActionError(message, { outcome: "unknown", exchange, cause });
  }
  if (isRefusal) return refused(found, responseCode, at);
  if (connectionFaults.has(found.code)) {
    const message = `The connection to ${server} ended before the message was sent: ${lostReason(found)}.`;
    return new ActionError(message, { outcome: "not_sent", exchange, cause });
  }
  const message = `The message was not sent: ${at.redactor.cut(found.message, maxReplyChars)}`;
  return new ActionError(message, { outcome: "not_sent", retryable: false, exchange, cause });
}

/** The recipients that the server refused while it took others, or all of them. */
export function rejectedRecipients(errors: readonly unknown[] | undefined): readonly RejectedRecipient[] {
  return (errors ?? []).map((error) => {
    const { recipient: address, responseCode: code = 0, response: reason = "" } = reply.parse(error);
    return { address, code, reason, temporary: code < 500 };
  });
}

const connectionFaults: ReadonlySet<string | undefined> = new Set(["ECONNECTION", "ESOCKET", "ETIMEDOUT", "EPROTOCOL"]);

function refused(found: Reply, code: number, { redactor, host, request }: FailedConversation): ActionError {
  const said = redactor.cut((found.response ?? "").replaceAll(/\s+/g, " ").trim(), maxReplyChars);
  const isLater = code < 500;
  const body = {
    reply: said,
    rejected: rejectedRecipients(found.rejectedErrors).map((one) => ({ ...one })),
  };
  return new ActionError(`The mail server "${host}" ${verdict(found, code)}: ${said}`, {
    retryable: isLater,
    ...(isLater && { retryAfterMs: laterMs }),
    details: { status: code, reason: said, body },
    exchange: { request, response: { status: code, headers: {}, body } },
  });
}

/** The meaning of a refusal by the step in which it came. */
function verdict({ command = "" }: Reply, code: number): string {
  const isLater = code < 500;
  if (command.startsWith("AUTH")) {
    return isLater ? "cannot check the login at the moment" : "did not accept the user and password";
  }
  if (code === 530) return "takes mail only after a login, so that the connection needs a password";
  switch (command) {
    case "MAIL FROM":
      return isLater ? "takes no message of this sender at the moment" : "does not take messages of this sender";
    case "RCPT TO":
      return isLater ? "takes no message for these recipients at the moment" : "refused all recipients";
    case "DATA":
      return isLater ? "does not take the message at the moment" : "refused the message";
    default:
      return isLater ? "takes no mail at the moment" : "takes no mail from here";
  }
}

/** Reasons for which TLS fails, by the codes of OpenSSL and Node. */
const tlsReasons: readonly (readonly [RegExp, string])[] = [
  [/ALTNAME_INVALID/, "its certificate is for another name"],
  [/CERT_HAS_EXPIRED/, "its certificate has expired"],
  [/CERT_NOT_YET_VALID/, "its certificate is not valid yet"],
  [/SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/, "its certificate is of an authority that is not trusted"],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH/, "it does not speak TLS on this port"],
];

function tlsReason({ originalCode, code, message }: Reply): string {
  const text = `${originalCode ?? ""} ${code ?? ""} ${message}`;
  return tlsReasons.find(([pattern]) => pattern.test(text))?.[1] ?? "the handshake failed";
}

function lostReason({ code, responseCode, response }: Reply): string {
  if (code === "ETIMEDOUT") return "the server did not answer in time";
  if (code === "EPROTOCOL" && responseCode === undefined && response !== undefined) return "it is not a mail server";
  return code === "EPROTOCOL" ? "the server gave an answer out of turn" : "the server closed it";
}
