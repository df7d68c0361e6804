import type { Receiver } from "./event-deliveries.ts";
import { LedgerError } from "./ledger-error.ts";
import { readOrder } from "./order-fields.ts";

const fields = ["name", "url", "secret", "oldSecret"];
const shortestSecret = 16;

/**
 * Reads a receiver of events from a parsed body. `oldSecret` is given while the secret is replaced.
 *
 * @throws {LedgerError} `invalid_receiver`, naming the field.
 */
export function parseReceiver(body: unknown): Receiver {
  const { has, text } = readOrder("invalid_receiver", "a receiver", fields, body);
  const secret = (field: string): string => {
    const value = text(field);
    if (value.length >= shortestSecret) return value;
    throw invalid(`"${field}" must have at least ${shortestSecret} characters.`);
  };
  const url = text("url");
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) throw invalid(`"url" must be an address over HTTP.`);
  return { name: text("name"), url, secrets: [secret("secret"), ...(has("oldSecret") ? [secret("oldSecret")] : [])] };
}

function invalid(message: string): LedgerError {
  return new LedgerError("invalid_receiver", message);
}
