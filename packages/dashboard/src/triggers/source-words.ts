/* What starts a trigger's runs, in words. */
import type { Trigger, TriggerSource } from "../api/models.ts";
import { cronWords } from "./cron-words.ts";

export interface SourceNames {
  /** The title of a type of event, where it is known. */
  readonly eventTitle?: (type: string) => string | undefined;
  readonly procedureName?: (procedureId: string) => string | undefined;
}

/** The occurrences, and beside them a detail: "At 06:30, Monday through Friday", "Europe/Berlin". */
export function sourceWords(
  source: TriggerSource,
  { eventTitle, procedureName }: SourceNames = {},
): { readonly what: string; readonly detail: string } {
  switch (source.kind) {
    case "schedule":
      return { what: cronWords(source.cron) ?? source.cron, detail: source.timeZone };
    case "integration": {
      const [first = "", ...others] = source.events.map((type) => eventTitle?.(type) ?? type);
      return { what: others.length === 0 ? first : `${first} and ${others.length} more`, detail: source.connection };
    }
    case "webhook":
      return { what: "A request of another service", detail: schemeWords[source.authentication.scheme] };
    case "event": {
      const of = source.procedureId === null ? undefined : (procedureName?.(source.procedureId) ?? source.procedureId);
      return { what: customEventName(source.name), detail: of === undefined ? "Any procedure" : of };
    }
  }
}

/** Proofs of origin, as people know them. */
export const schemeWords: Readonly<
  Record<Extract<TriggerSource, { readonly kind: "webhook" }>["authentication"]["scheme"], string>
> = {
  hmac: "Signed with HMAC",
  token: "Secret in a header",
  basic: "HTTP Basic",
  standard_webhooks: "Standard Webhooks",
};

export const overlapWords: Readonly<Record<Trigger["overlap"], string>> = {
  skip: "Start none",
  queue_one: "Keep the newest waiting",
  queue: "Let all wait, in order",
  allow: "Start it at once",
};

export const catchUpWords = {
  none: "Start none",
  latest: "Start the newest",
  all: "Start each",
} as const;

const prefix = "custom.";

/** The name that a procedure emits: `payment_sent` of `custom.payment_sent`. */
export function customEventName(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** The name of the event that the service knows. */
export function customEvent(name: string): string {
  return `${prefix}${customEventName(name.trim())}`;
}
