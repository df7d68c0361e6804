/**
 * The types of triggers' sources, written out so that an editor shows the meaning of each field. `trigger-source.ts` has
 * the schemas; `answer-types.test-d.ts` holds both equal.
 */

/** The occurrences that a trigger starts runs from. `kind` tells the kinds apart. */
export type TriggerSource = ScheduleSource | IntegrationSource | WebhookSource | EventSource;

/** A {@link TriggerSource} as a caller writes it. */
export type GivenTriggerSource = GivenScheduleSource | IntegrationSource | GivenWebhookSource | GivenEventSource;

/** What becomes of times that passed while the service was down. */
export type CatchUp = "none" | "latest" | "all";

/** Times by a cron expression. */
export interface ScheduleSource {
  /** Discriminates the kinds of sources. */
  kind: "schedule";
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** IANA name of the time zone, such as `Europe/Berlin`. */
  timeZone: string;
  /** No time before this one fires, ISO 8601; `null` for no bound. */
  startsAt: string | null;
  /** No time at or after this one fires, ISO 8601; `null` for no bound. */
  endsAt: string | null;
  /** ISO 8601 duration. Each firing is delayed by a fixed part of it. */
  spread: string;
  /** What becomes of times that passed while the service was down. */
  catchUp: CatchUp;
  /** ISO 8601 duration. Older times are recorded as missed. */
  catchUpWithin: string;
}

/** A {@link ScheduleSource} as a caller writes it. */
export interface GivenScheduleSource {
  /** Discriminates the kinds of sources. */
  kind: "schedule";
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** IANA name of the time zone, such as `Europe/Berlin`. */
  timeZone: string;
  /** No time before this one fires, ISO 8601. @defaultValue null, no bound */
  startsAt?: string | null | undefined;
  /** No time at or after this one fires, ISO 8601. @defaultValue null, no bound */
  endsAt?: string | null | undefined;
  /** ISO 8601 duration. Each firing is delayed by a fixed part of it. @defaultValue `PT0S` */
  spread?: string | undefined;
  /** What becomes of times that passed while the service was down. @defaultValue `latest` */
  catchUp?: CatchUp | undefined;
  /** ISO 8601 duration. Older times are recorded as missed. @defaultValue `PT24H` */
  catchUpWithin?: string | undefined;
}

/** Events of a connection's service. */
export interface IntegrationSource {
  /** Discriminates the kinds of sources. */
  kind: "integration";
  /** Name of the connection, in the trigger's environment. */
  connection: string;
  /** Types of its events. */
  events: string[];
}

/** Signed requests to an address of the trigger. */
export interface WebhookSource {
  /** Discriminates the kinds of sources. */
  kind: "webhook";
  /** How requests prove their origin. */
  authentication: InboundAuthentication;
  /** Which requests are the same event. */
  dedupe: Dedupe;
}

/** A {@link WebhookSource} as a caller writes it. */
export interface GivenWebhookSource {
  /** Discriminates the kinds of sources. */
  kind: "webhook";
  /** How requests prove their origin. */
  authentication: GivenInboundAuthentication;
  /** Which requests are the same event. @defaultValue the signed id with `standard_webhooks`, otherwise the body */
  dedupe?: GivenDedupe | undefined;
}

/** Custom events of procedures. */
export interface EventSource {
  /** Discriminates the kinds of sources. */
  kind: "event";
  /** The event, such as `custom.payment_sent`. */
  name: string;
  /** Only events of this procedure; `null` for any procedure. */
  procedureId: string | null;
}

/** An {@link EventSource} as a caller writes it. */
export interface GivenEventSource {
  /** Discriminates the kinds of sources. */
  kind: "event";
  /** The event, such as `custom.payment_sent`. */
  name: string;
  /** Only events of this procedure. @defaultValue null, any procedure */
  procedureId?: string | null | undefined;
}

/** How requests to the trigger's address prove their origin. */
export type InboundAuthentication = HmacAuthentication | SecretAuthentication;

/** An {@link InboundAuthentication} as a caller writes it. */
export type GivenInboundAuthentication = GivenHmacAuthentication | SecretAuthentication;

/** A signature over the body. */
export interface HmacAuthentication {
  /** Discriminates the schemes. */
  scheme: "hmac";
  /** The header with the signature. */
  header: string;
  /** The hash function. */
  algorithm: "sha256" | "sha512" | "sha1";
  /** The form of the signature. */
  encoding: "hex" | "base64";
  /** Text before the signature, such as `sha256=`. */
  prefix: string;
  /** A header with the time in seconds, which the signature covers as well; `null` for none. */
  timestampHeader: string | null;
}

/** An {@link HmacAuthentication} as a caller writes it. */
export interface GivenHmacAuthentication {
  /** Discriminates the schemes. */
  scheme: "hmac";
  /** The header with the signature. */
  header: string;
  /** The hash function. @defaultValue `sha256` */
  algorithm?: "sha256" | "sha512" | "sha1" | undefined;
  /** The form of the signature. @defaultValue `hex` */
  encoding?: "hex" | "base64" | undefined;
  /** Text before the signature, such as `sha256=`. @defaultValue none */
  prefix?: string | undefined;
  /** A header with the time in seconds, which the signature covers as well. @defaultValue null, none */
  timestampHeader?: string | null | undefined;
}

/** The secret itself, or the signature of Standard Webhooks. */
export type SecretAuthentication =
  | {
      /** Discriminates the schemes. */
      scheme: "token";
      /** The header with the secret. `Authorization` carries it after `Bearer `. */
      header: string;
    }
  | {
      /** HTTP Basic: the user name is `procedo`, the password the secret. */
      scheme: "basic";
    }
  | {
      /** The headers of standardwebhooks.com. */
      scheme: "standard_webhooks";
    };

/** Which requests are the same event. */
export type Dedupe =
  | {
      /** By the bytes of the body. */
      by: "body";
      /** ISO 8601 duration within which equal bodies are one event. */
      within: string;
    }
  | OtherDedupe;

/** A {@link Dedupe} as a caller writes it. */
export type GivenDedupe =
  | {
      /** By the bytes of the body. */
      by: "body";
      /** ISO 8601 duration within which equal bodies are one event. @defaultValue `PT24H` */
      within?: string | undefined;
    }
  | OtherDedupe;

/** Which requests are the same event, other than by their bytes. */
export type OtherDedupe =
  | {
      /** By the value of an expression. */
      by: "expression";
      /** Over `event` and `headers`, such as `event.id`. */
      expression: string;
    }
  | {
      /** Each request is an event of its own. */
      by: "none";
    };
