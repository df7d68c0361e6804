import type { ErrorDetail } from "@procedo/contract";
import { ActionError, type ActionContext } from "@procedo/engine";
import * as z from "zod";

/** Submission with STARTTLS, submission with TLS from the start (RFC 8314), and relay. */
export const mailPorts: readonly number[] = [587, 465, 25];

/** Text of one line: a line break in a header would begin another header. */
export const line = (maxChars: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u, "must be one line without control characters");

/** An address as it stands in an envelope: no comments, quotes, spaces or line breaks. */
export const mailbox = z
  .string()
  .max(254)
  .regex(
    /^[^\s\p{C}()<>[\]\\,;:"@]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}])?$/u,
    "must be an e-mail address, such as ana@example.com",
  );

/** One of these ports. */
export const mailPort = (ports: readonly number[]): z.ZodDefault<z.ZodLiteral<number>> =>
  z.literal(ports).default(587).meta({ description: "587 (the default), 465 or 25." });

/** The settings of a connection. */
export const emailSettings = z
  .object({
    host: z
      .string()
      .max(253)
      .regex(/^[^\s\p{C}/\\?#@]+$/u, "must be a host name or an IP address")
      .meta({ description: "Name of the mail server, such as `smtp.example.com`." }),
    port: mailPort(mailPorts),
    security: z.enum(["starttls", "tls", "none"]).optional().meta({
      description:
        "`starttls`: encrypted by STARTTLS, or no mail is sent. `tls`: encrypted from the start, the default of port 465. `none`: for a relay without login in a network that the operator allowed.",
    }),
    from: mailbox.meta({ description: "Address of the sender." }),
    fromName: line(200).optional().meta({ description: "Name of the sender." }),
    user: line(320).optional().meta({ description: "Name for the login. The sender's address if left out." }),
  })
  .check(({ value, issues }) => {
    const problem = (path: string, message: string) =>
      issues.push({ code: "custom", input: value, path: [path], message });
    if (value.security === "none" && value.user !== undefined)
      problem("user", "must be left out: without encryption there is no login");
    if (value.port === 465 && value.security !== undefined && value.security !== "tls")
      problem("security", "must be `tls` on port 465, where servers expect TLS from the start");
  });

/** The secrets of a connection. */
export const emailSecrets = z.object({
  password: z.string().min(6).optional().meta({ description: "Left out for a relay without login." }),
});

/** Settings of a connection. */
export type EmailSettings = z.output<typeof emailSettings>;
/** Secrets of a connection, in the clear. */
export type EmailSecrets = z.output<typeof emailSecrets>;

/** The connection of a call or test, and its access to the network. */
export type EmailContext = Pick<
  ActionContext<EmailSettings, EmailSecrets>,
  "settings" | "secrets" | "redactor" | "connect" | "signal"
>;

/** How a connection is encrypted. */
export function securityOf({ security, port }: EmailSettings): "starttls" | "tls" | "none" {
  return security ?? (port === 465 ? "tls" : "starttls");
}

/** The name and password for the login; `undefined` for a server without one. */
export interface EmailLogin {
  readonly user: string;
  readonly pass: string;
}

/** Half a login, and one that would be sent without encryption. */
export function loginProblems(settings: EmailSettings, { password }: EmailSecrets): readonly ErrorDetail[] {
  if (password === undefined) {
    if (settings.user === undefined) return [];
    return [{ path: "/secrets/password", message: `is missing for the user "${settings.user}"` }];
  }
  if (securityOf(settings) !== "none") return [];
  return [{ path: "/secrets/password", message: "must be left out without encryption; use `starttls` or `tls`" }];
}

/** @throws ActionError `not_sent` for a connection with {@link loginProblems}, which a former version may have stored */
export function loginOf(settings: EmailSettings, secrets: EmailSecrets): EmailLogin | undefined {
  const [problem] = loginProblems(settings, secrets);
  if (problem !== undefined) throw unusable(`The connection cannot be used: the password ${problem.message}.`);
  const { password } = secrets;
  return password === undefined ? undefined : { user: settings.user ?? settings.from, pass: password };
}

/** The error of a connection whose settings cannot be used. */
export function unusable(message: string): ActionError {
  return new ActionError(`${message} Nothing was sent.`, { outcome: "not_sent", retryable: false });
}

/** The domain of an address in ASCII. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const written = `https://${domain}/`;
  return URL.canParse(written) ? new URL(written).hostname : domain;
}
