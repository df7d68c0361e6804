import type MailComposer from "nodemailer/lib/mail-composer";
import type SmtpConnection from "nodemailer/lib/smtp-connection";

/**
 * Loads the composer of messages and the SMTP client of nodemailer. Its transports are not used, because they open sockets
 * themselves.
 */
export async function loadMailLibrary(): Promise<MailLibrary> {
  const [composer, client] = await Promise.all([
    import("nodemailer/lib/mail-composer"),
    import("nodemailer/lib/smtp-connection"),
  ]);
  return { MailComposer: composer.default, SmtpConnection: client.default };
}

interface MailLibrary {
  readonly MailComposer: typeof MailComposer;
  readonly SmtpConnection: typeof SmtpConnection;
}
