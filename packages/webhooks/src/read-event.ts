import type { JsonObject, WebhookEvent } from "./events.ts";
import { WebhookError } from "./webhook-error.ts";

// A byte order mark is no white space in JSON.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8 = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** The event that a verified body holds. Members that a newer service adds are left as they are. */
export function readEvent(body: string | Uint8Array): WebhookEvent {
  const value = parse(body);
  const missing = isObject(value) ? firstMissing(value) : "an object";
  if (missing === undefined) return value as WebhookEvent;
  throw new WebhookError(
    "not_an_event",
    `The signature is right, but the body is no webhook event: it lacks ${missing}.`,
  );
}

function parse(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === "string" ? body : decode(body));
  } catch {
    // No cause: the parser's message quotes the body.
    throw new WebhookError("not_json", "The signature is right, but the body is not JSON in UTF-8.");
  }
}

/** Invalid UTF-8 throws. The strict decoder is slower, so it is only asked about text that holds a replacement character. */
function decode(body: Uint8Array): string {
  const text = utf8.decode(body);
  return text.includes("\uFFFD") ? strictUtf8.decode(body) : text;
}

type Members = Readonly<Record<string, unknown>>;

/** Required fields of the envelope and of each event's `data`, as the types in events.ts claim them. */
function firstMissing(envelope: Members): string | undefined {
  if (!isText(envelope["id"])) return "an id";
  if (!isText(envelope["createdAt"]) || Number.isNaN(Date.parse(envelope["createdAt"]))) return "a createdAt";
  const { event, data } = envelope;
  if (typeof event !== "string") return "an event";
  if (!isObject(data)) return "its data";
  if (!isText(data["runId"])) return "data.runId";
  if (!isText(data["procedureId"])) return "data.procedureId";
  if (data["environment"] !== "sandbox" && data["environment"] !== "live") return "data.environment";
  return firstMissingOf(event, data);
}

function firstMissingOf(event: string, data: Members): string | undefined {
  if (event === "run_completed") {
    if (data["status"] !== "completed") return "data.status";
    return isObject(data["output"]) ? undefined : "data.output";
  }
  if (event === "run_failed") {
    if (data["status"] !== "failed") return "data.status";
    return typeof data["error"] === "string" ? undefined : "data.error";
  }
  if (event === "human_review_requested") {
    if (typeof data["reviewTitle"] !== "string") return "data.reviewTitle";
    return isObject(data["reviewData"]) ? undefined : "data.reviewData";
  }
  if (/^custom\.[A-Za-z0-9]/.test(event)) return isObject(data["payload"]) ? undefined : "data.payload";
  return "an event that this version knows";
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
