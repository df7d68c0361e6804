import * as z from "zod";
import { distinct } from "./distinct.ts";
import { httpToken } from "./http-headers.ts";
import { connectionNameSchema, procedureIdSchema } from "./identifiers.ts";
import { givenTimestampSchema } from "./timestamp.ts";

/** Kinds of a trigger's source. */
export const triggerKinds = ["schedule", "integration", "webhook", "event"] as const;

/** The most characters of a trigger's expression, and of its input as JSON text. */
export const maxMappingLength = 65_536;

const duration = z.string().min(1).max(64).meta({ description: "ISO 8601 duration, such as `PT24H`." });

/** What becomes of the times of a schedule that pass while no node of the service runs. */
const catchUpSchema = z.enum(["none", "latest", "all"]).meta({
  id: "CatchUp",
  description:
    "What becomes of times that passed while the service was down. `none`: they are recorded as missed. `latest`: the newest " +
    "one fires. `all`: each fires, oldest first, at most 100.",
});

/** Times by a cron expression. */
const scheduleSource = z
  .strictObject({
    kind: z.literal("schedule"),
    cron: z
      .string()
      .min(1)
      .max(256)
      .meta({
        description:
          "Five fields: minute, hour, day of the month, month, day of the week, with names, `L`, `W` and `#`. An hour field that " +
          "begins with `*` counts elapsed time. Any other names wall-clock times: each fires once a day; one that the clock " +
          "skips fires at the first instant after the gap, and one that the clock repeats at its first occurrence.",
      }),
    timeZone: z.string().min(1).max(64).meta({ description: "IANA name, such as `Europe/Berlin`." }),
    startsAt: givenTimestampSchema.nullable().meta({ description: "No time before this one fires. `null`: no bound." }),
    endsAt: givenTimestampSchema
      .nullable()
      .meta({ description: "No time at or after this one fires. `null`: no bound." }),
    spread: duration.meta({
      description:
        "Delays each firing by a fixed part of this duration that depends on the trigger, so that many triggers of one time do " +
        "not start together. At most the shortest interval of the schedule.",
    }),
    catchUp: catchUpSchema,
    catchUpWithin: duration.meta({ description: "Older times are recorded as missed." }),
  })
  .meta({ id: "ScheduleSource" });

/** Events of a connection's service. */
const integrationSource = z
  .strictObject({
    kind: z.literal("integration"),
    connection: connectionNameSchema.meta({ description: "Name of the connection, in the trigger's environment." }),
    events: distinct(z.string().min(1).max(256)).min(1).max(100).meta({ description: "Types of its events." }),
  })
  .meta({ id: "IntegrationSource" });

const header = z.string().max(128).regex(httpToken, "must be a header name");

const byHmac = z.strictObject({
  scheme: z.literal("hmac"),
  header: header.meta({ description: "The header with the signature." }),
  algorithm: z.enum(["sha256", "sha512", "sha1"]),
  encoding: z.enum(["hex", "base64"]),
  prefix: z.string().max(32).meta({ description: "Text before the signature, such as `sha256=`." }),
  timestampHeader: header.nullable().meta({
    description:
      "A header with the time in seconds since the epoch. The signature then covers `<time>.<body>`, and a time that differs " +
      "by more than five minutes is refused. `null`: the signature covers the body.",
  }),
});

const byOtherProof = [
  z.strictObject({
    scheme: z.literal("token"),
    header: header.meta({ description: "The header with the secret. `Authorization` carries it after `Bearer `." }),
  }),
  z.strictObject({ scheme: z.literal("basic") }).meta({
    description: "HTTP Basic: the user name is `procedo`, the password the secret.",
  }),
  z.strictObject({ scheme: z.literal("standard_webhooks") }).meta({
    description: "The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of standardwebhooks.com.",
  }),
] as const;

/** How requests to the trigger's address prove their origin. There is no mode without a proof. */
const inboundAuthentication = z
  .discriminatedUnion("scheme", [byHmac, ...byOtherProof])
  .meta({ id: "InboundAuthentication" });

const byBody = z.strictObject({ by: z.literal("body"), within: duration });
const sameBytes = { description: "Requests with the same bytes, within this duration." };
const byOtherIdentity = [
  z.strictObject({
    by: z.literal("expression"),
    expression: z.string().min(1).max(4_096).meta({ description: "Over `event` and `headers`, such as `event.id`." }),
  }),
  z.strictObject({ by: z.literal("none") }).meta({ description: "Each request is an event of its own." }),
] as const;

/** Which requests are the same event. */
const dedupe = z.discriminatedUnion("by", [byBody.meta(sameBytes), ...byOtherIdentity]).meta({ id: "Dedupe" });

/** Signed requests to an address of the trigger. */
const webhookSource = z
  .strictObject({ kind: z.literal("webhook"), authentication: inboundAuthentication, dedupe })
  .meta({ id: "WebhookSource" });

/** Custom events of procedures. */
const eventSource = z
  .strictObject({
    kind: z.literal("event"),
    name: z
      .string()
      .regex(/^custom\.[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be custom.<name>")
      .meta({ description: "The event, such as `custom.payment_sent`." }),
    procedureId: procedureIdSchema.nullable().meta({
      description: "Only events of this procedure. `null`: of any procedure.",
    }),
  })
  .meta({ id: "EventSource" });

/** A source in answers, with its defaults. */
export const shownSourceSchema = z
  .discriminatedUnion("kind", [scheduleSource, integrationSource, webhookSource, eventSource])
  .meta({ id: "TriggerSource" });

const givenScheduleSource = scheduleSource
  .extend({
    startsAt: scheduleSource.shape.startsAt.default(null),
    endsAt: scheduleSource.shape.endsAt.default(null),
    spread: scheduleSource.shape.spread.default("PT0S"),
    catchUp: scheduleSource.shape.catchUp.default("latest"),
    catchUpWithin: scheduleSource.shape.catchUpWithin.default("PT24H"),
  })
  .meta({ id: "GivenScheduleSource" });

const givenHmac = byHmac.extend({
  algorithm: byHmac.shape.algorithm.default("sha256"),
  encoding: byHmac.shape.encoding.default("hex"),
  prefix: byHmac.shape.prefix.default(""),
  timestampHeader: byHmac.shape.timestampHeader.default(null),
});

const givenBody = byBody.extend({ within: duration.default("PT24H") }).meta(sameBytes);

type Identity = z.infer<typeof dedupe>;

/** Retries of a message have its id and another time, so that the id tells messages apart, and no signed time does. */
const byMessageId: Identity = { by: "expression", expression: 'headers["webhook-id"]' };
const byDayOfBodies: Identity = { by: "body", within: "PT24H" };

const givenWebhookSource = webhookSource
  .extend({
    authentication: z
      .discriminatedUnion("scheme", [givenHmac, ...byOtherProof])
      .meta({ id: "GivenInboundAuthentication" }),
    dedupe: z
      .discriminatedUnion("by", [givenBody, ...byOtherIdentity])
      .meta({ id: "GivenDedupe" })
      .optional()
      .meta({
        description:
          "Default: the signed `webhook-id` with `standard_webhooks`, otherwise the bytes of the body within `PT24H`. A signed " +
          "time tells no events apart, because services sign each retry anew.",
      }),
  })
  .transform(({ dedupe: given, ...source }) => {
    const isStandard = source.authentication.scheme === "standard_webhooks";
    return { ...source, dedupe: given ?? (isStandard ? byMessageId : byDayOfBodies) };
  })
  // JSON Schema cannot represent a transform as an output.
  .pipe(webhookSource)
  .meta({ id: "GivenWebhookSource" });

const givenEventSource = eventSource
  .extend({ procedureId: eventSource.shape.procedureId.default(null) })
  .meta({ id: "GivenEventSource" });

/** Schema of {@link GivenTriggerSource}. Parsing fills in the defaults. */
export const triggerSourceSchema = z
  .discriminatedUnion("kind", [givenScheduleSource, integrationSource, givenWebhookSource, givenEventSource])
  .meta({ id: "GivenTriggerSource" });

/** Kind of a trigger's source. */
export type TriggerKind = (typeof triggerKinds)[number];
