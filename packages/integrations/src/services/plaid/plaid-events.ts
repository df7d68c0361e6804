import { createHash } from "node:crypto";
import type { JsonObject } from "@procedo/contract";
import { ActionError, ProcedoError, type InboundEventType, type InboundIntegration } from "@procedo/engine";
import * as z from "zod";
import type { Service } from "../../kit/index.ts";
import type { PlaidSecrets } from "./plaid-connection.ts";
import { isSigned, keyIdOf, signatureHeader } from "./plaid-signature.ts";

/** As long as a signature can be accepted: five minutes before and after its time. */
const signedForMs = 10 * 60_000;

const webhook = z.looseObject({
  webhook_type: z.string().regex(/^[A-Z_]{1,100}$/),
  webhook_code: z.string().regex(/^[A-Z_]{1,100}$/),
  environment: z.enum(["sandbox", "production"]),
});

const keyAnswer = z.object({ key: z.looseObject({ expired_at: z.number().nullish() }) });

const ofItem = webhook.extend({
  item_id: z.string().meta({ description: "Plaid's id of the item, which `get_item` reads for the name of an item." }),
});
const itemError = z.looseObject({ error_type: z.string(), error_code: z.string(), error_message: z.string() });

const item = "Ed6bjNrDLJfGvZWwnkQlfxwoNz54B5C97ejBr";
const error = {
  ...{ error_type: "ITEM_ERROR", error_code: "ITEM_LOGIN_REQUIRED" },
  error_message: "the login details of this item have changed",
};

/** The webhooks that triggers can choose, by their type and code. Samples without the members that all have. */
export const plaidWebhooks = {
  "TRANSACTIONS.SYNC_UPDATES_AVAILABLE": {
    title: "Transactions of an item changed",
    schema: ofItem.extend({ initial_update_complete: z.boolean(), historical_update_complete: z.boolean() }),
    sample: { item_id: item, initial_update_complete: true, historical_update_complete: false },
  },
  "ITEM.ERROR": {
    title: "Item has an error",
    schema: ofItem.extend({ error: itemError.nullable() }),
    sample: { item_id: item, error },
  },
  "ITEM.LOGIN_REPAIRED": { title: "Item can be read again", schema: ofItem, sample: { item_id: item } },
  "ITEM.PENDING_DISCONNECT": {
    title: "Item will be disconnected (United States and Canada)",
    schema: ofItem.extend({ reason: z.string(), disconnect_time: z.string() }),
    sample: { item_id: item, reason: "INSTITUTION_TOKEN_EXPIRATION", disconnect_time: "2026-12-04T09:00:00Z" },
  },
  "ITEM.PENDING_EXPIRATION": {
    title: "Consent to an item ends in a week (Europe)",
    schema: ofItem.extend({ consent_expiration_time: z.string() }),
    sample: { item_id: item, consent_expiration_time: "2026-12-04T09:00:00Z" },
  },
  "ITEM.USER_PERMISSION_REVOKED": {
    title: "Consent to an item was revoked",
    schema: ofItem.extend({ error: itemError.nullish() }),
    sample: { item_id: item },
  },
  "TRANSFER.TRANSFER_EVENTS_UPDATE": { title: "Transfers changed", schema: webhook, sample: {} },
  "IDENTITY_VERIFICATION.STATUS_UPDATED": {
    title: "Identity verification changed",
    schema: webhook.extend({ identity_verification_id: z.string() }),
    sample: { identity_verification_id: "idv_52xR9LKo77r1Np" },
  },
  "SCREENING.STATUS_UPDATED": {
    title: "Screening of a person changed",
    schema: webhook.extend({ screening_id: z.string() }),
    sample: { screening_id: "scr_52xR9LKo77r1Np" },
  },
  "ENTITY_SCREENING.STATUS_UPDATED": {
    title: "Screening of a company changed",
    schema: webhook.extend({ entity_screening_id: z.string() }),
    sample: { entity_screening_id: "entscr_52xR9LKo77r1Np" },
  },
} satisfies { readonly [type: string]: Pick<InboundEventType, "title" | "sample"> & { readonly schema: z.ZodObject } };

/**
 * The webhooks of Plaid, each named by its type and code: `TRANSACTIONS.SYNC_UPDATES_AVAILABLE`. They have no id,
 * and two with the same text are two changes: an event is known by its signature.
 */
export function plaidEvents({ ask }: Service<unknown, PlaidSecrets>): InboundIntegration<unknown, PlaidSecrets> {
  return {
    events: Object.entries(plaidWebhooks).map(([type, { title, schema, sample }]) => {
      const [webhook_type = "", webhook_code = ""] = type.split(".");
      return {
        ...{ type, title, schema: z.toJSONSchema(schema, { io: "input" }) as JsonObject },
        sample: { webhook_type, webhook_code, ...sample, environment: "sandbox" },
      };
    }),

    keys: {
      idOf: keyIdOf,
      fetch: async (key_id, context) => {
        const request = { method: "POST" as const, path: "/webhook_verification_key/get", json: { key_id } };
        const answer = await ask(context, "read", request).catch((error: unknown) => {
          if (isUnknownKey(error)) return undefined;
          throw error;
        });
        if (answer === undefined) return undefined;
        const { key } = keyAnswer.parse(answer);
        return (key.expired_at ?? null) === null ? (key as JsonObject) : undefined;
      },
    },

    verify: isSigned,

    parse({ json, header, environment }) {
      const value = json();
      const parsed = webhook.safeParse(value);
      if (!parsed.success) {
        throw new ProcedoError("invalid_input", `This is no webhook of Plaid: ${z.prettifyError(parsed.error)}`);
      }
      const { webhook_type, webhook_code, environment: sender } = parsed.data;
      if ((sender === "production") !== (environment === "live")) return "other_environment";
      const id = createHash("sha256").update(header(signatureHeader).join()).digest("hex");
      const type = `${webhook_type}.${webhook_code}`;
      return [{ id, type, occurredAtMs: undefined, event: value, knownForMs: signedForMs }];
    },
  };
}

/** Whether Plaid refused the id of a key, and neither the credentials of the connection nor the request. */
function isUnknownKey(error: unknown): boolean {
  if (!(error instanceof ActionError)) return false;
  const refusal = z
    .object({ status: z.literal(400), body: z.object({ error_type: z.string(), error_code: z.string() }) })
    .safeParse(error.failureDetails);
  if (!refusal.success) return false;
  const { error_type: type, error_code: code } = refusal.data.body;
  return (type === "INVALID_INPUT" || type === "INVALID_REQUEST") && code.includes("KEY_ID");
}
