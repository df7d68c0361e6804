/*
 * E-mail over SMTP.
 *
 *   email.ts             the integration and its actions
 *   email-connection.ts  settings, secrets, encryption and login of a connection
 *   email-message.ts     the message, composed of an action's arguments
 *   smtp-session.ts      the conversation with a server; smtp-failure.ts: its errors, for people
 *   mail-library.ts      loads nodemailer
 */
import { ActionAnswer, defineIntegration, type CodedIntegration, type Exchange } from "@procedo/engine";
import * as z from "zod";
import {
  emailSecrets,
  emailSettings,
  loginOf,
  loginProblems,
  mailPort,
  mailPorts,
  securityOf,
  type EmailContext,
} from "./email-connection.ts";
import { composeMessage, emailMessage, type ComposedMessage } from "./email-message.ts";
import { openSession, type SmtpReceipt } from "./smtp-session.ts";

const rejectedRecipient = z.object({
  address: z.string(),
  code: z.int().meta({ description: "Status code of the reply." }),
  reason: z.string().meta({ description: "The reply." }),
  temporary: z.boolean().meta({ description: "Whether the server may take a message later." }),
});

/**
 * E-mail through a mail server (SMTP). It sends messages and receives none: the sender of a message proves nothing, so
 * that mail is no event to act on.
 *
 * A server may take a message for some recipients only. The output of `send` names both.
 */
export function email({
  ports = [],
}: {
  /** Ports that a connection may use in addition to 587, 465 and 25. @defaultValue none */
  readonly ports?: readonly number[];
} = {}): CodedIntegration {
  return defineIntegration({
    name: "email",
    title: "E-mail",
    category: "messaging",
    settings: emailSettings.safeExtend({ port: mailPort([...mailPorts, ...ports]) }),
    secrets: emailSecrets,
    check: ({ settings, secrets }) => loginProblems(settings, secrets),
    destinationOf: ({ host }) => ({ host }),
    // Large providers let a mailbox have three connections.
    limits: { concurrent: 3 },
    account: async (context) => {
      await verify(context);
      const { host, from, user = from } = context.settings;
      return { id: `${user} at ${host}`, name: from };
    },
    actions: ({ defineAction }) => ({
      send: defineAction({
        description: "Sends an e-mail.",
        effect: "once",
        onUnknownOutcome: "retry",
        timeoutMs: 120_000,
        input: emailMessage,
        output: z.object({
          messageId: z.string().meta({ description: "The `Message-ID` of the e-mail." }),
          accepted: z.array(z.string()).meta({ description: "Recipients for whom the server took it." }),
          rejected: z.array(rejectedRecipient).meta({ description: "Recipients whom the server refused." }),
          reply: z.string().meta({ description: "The last reply of the server." }),
        }),
        run: async (input, context) => {
          const message = await composeMessage(input, context);
          const request = sendRequest(context, message);
          const session = await openSession(context, request);
          const receipt = await session.send(message);
          session.close();
          const exchange = { request, response: responseOf(receipt) };
          return new ActionAnswer({ messageId: message.id, ...receipt }, { exchange });
        },
      }),
      verify: defineAction({
        description: "Connects to the mail server and logs in, without sending anything.",
        effect: "read",
        timeoutMs: 30_000,
        input: z.object({}),
        output: z.object({
          from: z.string().meta({ description: "Address of the sender." }),
          user: z.string().nullable().meta({ description: "Name of the login; null without one." }),
          host: z.string(),
          port: z.int(),
          security: z.enum(["starttls", "tls", "none"]),
        }),
        run: async (_input, context) => {
          const { settings, secrets } = context;
          const exchange = { request: await verify(context), response: { status: 250, headers: {} } };
          const { host, port, from } = settings;
          const user = loginOf(settings, secrets)?.user ?? null;
          return new ActionAnswer({ from, user, host, port, security: securityOf(settings) }, { exchange });
        },
      }),
    }),
  });
}

/** @returns the request, for the record */
async function verify(context: EmailContext): Promise<Exchange["request"]> {
  const request = { method: "VERIFY", url: urlOf(context), headers: {} };
  const session = await openSession(context, request);
  await session.confirm();
  session.close();
  return request;
}

function sendRequest(context: EmailContext, { envelope, headers, body }: ComposedMessage): Exchange["request"] {
  const { from, to } = envelope;
  return { method: "SEND", url: urlOf(context), headers, body: { envelope: { from, to: [...to] }, ...body } };
}

function responseOf({ accepted, rejected, reply }: SmtpReceipt): NonNullable<Exchange["response"]> {
  const body = { reply, accepted: [...accepted], rejected: rejected.map((one) => ({ ...one })) };
  return { status: Number.parseInt(reply, 10) || 250, headers: {}, body };
}

function urlOf({ settings }: Pick<EmailContext, "settings">): string {
  const { host, port } = settings;
  const shown = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `${securityOf(settings) === "tls" ? "smtps" : "smtp"}://${shown}:${port}`;
}
