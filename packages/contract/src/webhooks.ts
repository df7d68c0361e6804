import * as z from "zod";
import { distinct } from "./distinct.ts";
import { eventNameSchema } from "./events.ts";
import { idSchema } from "./identifiers.ts";
import { pageOf } from "./pages.ts";
import { timestampSchema } from "./timestamp.ts";
import { webAddressSchema } from "./web-address.ts";

const name = z.string().min(1).max(200);
const url = webAddressSchema.meta({ description: "Receiver endpoint." });
const events = distinct(eventNameSchema).min(1).max(100).meta({ description: "Subscribed event names." });
const isActive = z.boolean().meta({
  description: "Whether events are delivered. While it is `false`, their deliveries are recorded as `skipped`.",
});

/** Body of `POST webhooks`. */
export const createWebhookRequestSchema = z
  .strictObject({
    url,
    events,
    name: name.optional().meta({ description: "Label for people. Default: the URL's host." }),
    isActive: isActive.default(true),
  })
  .meta({ id: "CreateWebhookRequest" });

/** Body of `PATCH webhooks/:id`: replaces the fields that it names. */
export const updateWebhookRequestSchema = z
  .strictObject({ url, events, name, isActive })
  .partial()
  .meta({ id: "UpdateWebhookRequest" });

/** Schema of {@link Webhook}. */
export const webhookSchema = z
  .strictObject({
    id: idSchema,
    name: z.string(),
    url: z.url(),
    events: z.array(eventNameSchema),
    isActive: z.boolean(),
    deactivatedAt: timestampSchema
      .optional()
      .meta({ description: "When the webhook became inactive. Present only while it is inactive." }),
    deactivatedBecause: z
      .string()
      .optional()
      .meta({ description: "Why it is inactive: the person who deactivated it, or the behaviour of its receiver." }),
    failingSince: timestampSchema.optional().meta({
      description:
        "The first failed attempt since an attempt was last accepted, or the activation or change of the address, if that was " +
        "later. Present only while the webhook is failing. Attempts that a person asked for do not start it, and an accepted one ends it.",
    }),
    createdBy: z.string().meta({ description: "The person who created it." }),
    createdAt: timestampSchema,
  })
  .meta({ id: "Webhook" });

/** The HMAC key of a webhook's signatures is this text as it is shown. */
const secret = z
  .string()
  .regex(/^whsec_\S+$/)
  .meta({ description: "Signing secret, shown once." });

/** Answer of `POST webhooks`: with `rotate` the only one that shows the secret. */
export const createdWebhookSchema = webhookSchema.extend({ secret }).meta({ id: "CreatedWebhook" });

/** Body of `POST webhooks/:id/rotate`. */
export const rotateWebhookSecretRequestSchema = z
  .strictObject({
    keepOldSecret: z
      .boolean()
      .default(false)
      .meta({ description: "Whether the old secret signs beside the new one for 24 hours." }),
  })
  .meta({ id: "RotateWebhookSecretRequest" });

/** Schema of {@link RotatedWebhookSecret}. */
export const rotatedWebhookSecretSchema = z
  .strictObject({
    id: idSchema,
    secret,
    oldSecretExpiresAt: timestampSchema.optional().meta({ description: "When the old secret was kept." }),
  })
  .meta({ id: "RotatedWebhookSecret" });

/** Body of `POST webhooks/:id/test`. */
export const testWebhookRequestSchema = z
  .strictObject({
    event: eventNameSchema.optional().meta({ description: "The event to send a sample of. Default: the first one." }),
  })
  .meta({ id: "TestWebhookRequest" });

/** Schema of a page of {@link Webhook}. */
export const webhookPageSchema = pageOf(webhookSchema).meta({ id: "WebhookPage" });

/** Body of `POST webhooks`, as a caller writes it. */
export type CreateWebhookRequest = z.input<typeof createWebhookRequestSchema>;
/** {@link CreateWebhookRequest} after parsing, with its defaults. */
export type ParsedCreateWebhookRequest = z.infer<typeof createWebhookRequestSchema>;
/** Body of `PATCH webhooks/:id`. A field that is left out stays. */
export type UpdateWebhookRequest = z.infer<typeof updateWebhookRequestSchema>;
/** A webhook: its address, its events, and whether it is active. */
export type Webhook = z.infer<typeof webhookSchema>;
/** Answer of `POST webhooks`, with the signing secret. Only `rotate` shows a secret as well. */
export type CreatedWebhook = z.infer<typeof createdWebhookSchema>;
/** Body of `POST webhooks/:id/rotate`, as a caller writes it. */
export type RotateWebhookSecretRequest = z.input<typeof rotateWebhookSecretRequestSchema>;
/** {@link RotateWebhookSecretRequest} after parsing, with its defaults. */
export type ParsedRotateWebhookSecretRequest = z.infer<typeof rotateWebhookSecretRequestSchema>;
/** Answer of `POST webhooks/:id/rotate`: the new signing secret, and until when the former one signs as well. */
export type RotatedWebhookSecret = z.infer<typeof rotatedWebhookSecretSchema>;
/** Body of `POST webhooks/:id/test`. */
export type TestWebhookRequest = z.infer<typeof testWebhookRequestSchema>;
