import { createHash } from "node:crypto";
import * as z from "zod";
import { notBuilt } from "../../kit/before-sending.ts";
import { domainOf, line, mailbox, type EmailSettings } from "./email-connection.ts";
import { loadMailLibrary } from "./mail-library.ts";

/** All servers take 100 recipients of a message (RFC 5321, 4.5.3.1.8). */
const maxRecipients = 100;

const recipient = z.union([mailbox, z.strictObject({ address: mailbox, name: line(200) })]);
const text = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .regex(/^\P{Cs}*$/u, "must not have half of a surrogate pair");

/** A message as procedures give it. */
export const emailMessage = z
  .object({
    to: z
      .array(recipient)
      .min(1)
      .max(maxRecipients)
      .meta({ description: "Recipients: addresses, or objects with `address` and `name`." }),
    cc: z.array(recipient).max(maxRecipients).optional(),
    bcc: z
      .array(recipient)
      .max(maxRecipients)
      .optional()
      .meta({ description: "Recipients whom the others do not see." }),
    replyTo: recipient.optional().meta({ description: "Address for answers, in place of the sender's." }),
    subject: line(500),
    text: text(200_000).meta({ description: "The message as plain text." }),
    html: text(500_000).optional().meta({ description: "The message as HTML, for readers that show it." }),
  })
  .check(({ value, issues }) => {
    const { length } = [...value.to, ...(value.cc ?? []), ...(value.bcc ?? [])];
    if (length <= maxRecipients) return;
    const message = `must have at most ${maxRecipients} recipients, with those of cc and bcc`;
    issues.push({ code: "custom", input: value, path: ["to"], message });
  });

/** A message, ready to be sent. */
export interface ComposedMessage {
  /** The `Message-ID`, the same in every attempt of a call. */
  readonly id: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** The headers as they are sent, by name. */
  readonly headers: { readonly [name: string]: string };
  /** The whole message with its headers. */
  readonly bytes: Buffer;
  /** The texts in it. */
  readonly body: { readonly text: string; readonly html?: string };
}

/** @throws ActionError `not_sent` */
export async function composeMessage(
  { to, cc, bcc, replyTo, subject, text, html }: z.output<typeof emailMessage>,
  { settings: { from, fromName = "" }, idempotencyKey }: { settings: EmailSettings; idempotencyKey: string },
): Promise<ComposedMessage> {
  try {
    const { MailComposer } = await loadMailLibrary();
    const id = messageId(idempotencyKey, from);
    const node = new MailComposer({
      from: { address: from, name: fromName },
      to: to.map(addressOf),
      cc: cc?.map(addressOf),
      bcc: bcc?.map(addressOf),
      replyTo: replyTo === undefined ? undefined : addressOf(replyTo),
      subject,
      text,
      html,
      messageId: id,
      // All contents are given. A path or an address in their place must not be read.
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile();
    const envelope = node.getEnvelope();
    const bytes = await node.build();
    return {
      id,
      envelope: { from: envelope.from || from, to: envelope.to },
      headers: headersOf(bytes),
      bytes,
      body: { text, ...(html !== undefined && { html }) },
    };
  } catch (cause) {
    throw notBuilt(cause);
  }
}

/**
 * The `Message-ID` of a call. It is made of the key's digest in lower case, because some systems compare ids without
 * regard to case.
 */
export function messageId(idempotencyKey: string, from: string): string {
  return `<${createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 32)}@${domainOf(from)}>`;
}

function addressOf(given: z.output<typeof recipient>): { readonly address: string; readonly name: string } {
  return typeof given === "string" ? { address: given, name: "" } : given;
}

function headersOf(bytes: Buffer): { readonly [name: string]: string } {
  const head = bytes
    .subarray(0, bytes.indexOf("\r\n\r\n"))
    .toString("utf8")
    .replaceAll(/\r\n(?=[ \t])/g, "");
  return Object.fromEntries(
    head.split("\r\n").map((header) => {
      const at = header.indexOf(":");
      return [header.slice(0, at), header.slice(at + 1).trim()];
    }),
  );
}
