import type { JsonValue } from "@procedo/contract";
import type { RecordedExchange, RecordedMessage } from "@procedo/procedure";
import { copyJson, type JsonLimits } from "../integrations/json-copy.ts";
import type { Exchange } from "../integrations/integration.ts";
import { redacted, type Redact } from "../secrets/redact.ts";

/** Of a larger body the record says only that there was one: what matters of it is the step's input or output. */
const maxBodyBytes = 256 * 1024;
const maxUrlLength = 8_192;
const maxHeaders = 100;
const maxHeaderLength = 4_096;

/** Headers whose values are secrets whoever sent them. */
const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

/**
 * What the record keeps of an exchange: without the connection's secrets, bounded. A record is never worth a call: what
 * cannot be read is left out.
 */
export function recordExchange(exchange: Exchange, redact: Redact, limits: JsonLimits): RecordedExchange | undefined {
  try {
    const notes: string[] = [];
    const message = (
      whose: string,
      { headers, body }: Pick<Exchange["request"], "headers" | "body">,
    ): RecordedMessage => {
      const kept = { headers: headersOf(headers, redact) };
      if (body === undefined) return kept;
      const copy = copyJson(body, { depth: limits.depth, bytes: Math.min(limits.bytes, maxBodyBytes) });
      if (copy.ok) return { ...kept, body: redact(copy.value) };
      notes.push(`The body of the ${whose} is left out: it ${copy.message}.`);
      return kept;
    };
    const { request, response } = exchange;
    const recorded = {
      request: {
        method: textOf(request.method, redact, maxHeaderLength),
        url: textOf(request.url, redact, maxUrlLength),
        ...message("request", request),
      },
      ...(response !== undefined && { response: { status: Number(response.status), ...message("answer", response) } }),
    };
    return { ...recorded, ...(notes.length > 0 && { note: notes.join(" ") }) };
  } catch {
    return undefined;
  }
}

function headersOf(headers: { readonly [name: string]: string }, redact: Redact): { readonly [name: string]: string } {
  const kept = Object.entries(headers).slice(0, maxHeaders);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      textOf(name, redact, maxHeaderLength),
      secretHeaders.has(name.toLowerCase()) ? redacted : textOf(value, redact, maxHeaderLength),
    ]),
  );
}

/** Cut only once nothing is in it that a cut would hide from the search. */
function textOf(text: string, redact: Redact, maxLength: number): string {
  const clean: JsonValue = redact(String(text));
  return typeof clean === "string" ? clean.slice(0, maxLength).toWellFormed() : redacted;
}
