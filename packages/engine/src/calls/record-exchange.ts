import type { RecordedExchange, RecordedMessage } from "@procedo/procedure";
import { copyJson, type JsonLimits } from "../json/json-copy.ts";
import type { Exchange } from "../integrations/integration.ts";
import { redacted, type Redactor } from "../secrets/redact.ts";

/** A larger body is replaced by a note, because its relevant part is the step's input or output. */
const maxBodyBytes = 256 * 1024;
const maxUrlLength = 8_192;
const maxHeaders = 100;
const maxHeaderLength = 4_096;

/** Headers whose values are secrets in requests and responses alike. */
const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

/**
 * The recorded form of an exchange: bounded, without the connection's secrets. An exchange that cannot be read is
 * omitted, because a record must not fail a call.
 */
export function recordExchange(
  exchange: Exchange,
  redactor: Redactor,
  limits: JsonLimits,
): RecordedExchange | undefined {
  try {
    const notes: string[] = [];
    const message = (
      whose: string,
      { headers, body }: Pick<Exchange["request"], "headers" | "body">,
    ): RecordedMessage => {
      const kept = { headers: headersOf(headers, redactor) };
      if (body === undefined) return kept;
      const copy = copyJson(body, { depth: limits.depth, bytes: Math.min(limits.bytes, maxBodyBytes) });
      if (copy.ok) return { ...kept, body: redactor.excerpt(copy.value) };
      notes.push(`The body of the ${whose} is left out: it ${copy.message}.`);
      return kept;
    };
    const { request, response } = exchange;
    const recorded = {
      request: {
        method: redactor.cut(String(request.method), maxHeaderLength),
        url: redactor.cut(String(request.url), maxUrlLength),
        ...message("request", request),
      },
      ...(response !== undefined && { response: { status: Number(response.status), ...message("answer", response) } }),
    };
    return { ...recorded, ...(notes.length > 0 && { note: notes.join(" ") }) };
  } catch {
    return undefined;
  }
}

function headersOf(
  headers: { readonly [name: string]: string },
  redactor: Redactor,
): { readonly [name: string]: string } {
  const kept = Object.entries(headers).slice(0, maxHeaders);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      redactor.cut(name, maxHeaderLength),
      secretHeaders.has(name.toLowerCase()) ? redacted : redactor.cut(String(value), maxHeaderLength),
    ]),
  );
}
