import { WebhookError } from "./webhook-error.ts";

/** The secrets to try, each fit to be a key. */
export function checkSecrets(given: unknown): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (secrets.length === 0) throw refused("The list of webhook secrets is empty.");
  return secrets.map(checkSecret);
}

/**
 * The secret, when it is fit to be a key.
 *
 * A variable that is not set, or a line break that came along from a file, would otherwise make every signature wrong or,
 * worse, one that anybody can make.
 */
export function checkSecret(secret: unknown): string {
  if (typeof secret !== "string") throw refused(`The webhook secret is no string but ${nameOf(secret)}.`);
  if (/^\S+$/.test(secret) && secret !== "whsec_") return secret;
  throw refused(
    secret.trim() === "" || secret === "whsec_"
      ? "The webhook secret is empty."
      : "The webhook secret contains white space, perhaps a line break at its end.",
  );
}

const nameOf = (value: unknown): string => (value === null ? "null" : typeof value);

function refused(reason: string): WebhookError {
  return new WebhookError("invalid_secret", `${reason} Set it to the text shown when the webhook was created.`);
}
