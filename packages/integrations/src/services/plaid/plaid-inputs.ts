import * as z from "zod";
import { item } from "./plaid-connection.ts";

const id = (description: string) => z.string().min(1).max(128).meta({ description });
const amount = z
  .string()
  .regex(/^(0|[1-9]\d{0,11})\.\d{2}$/)
  .meta({ description: "The amount with two decimals, such as `10.00`." });
const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ description: "Country code, such as `US`." });
const date = z.iso.date();
const email = z.email().max(254);
const phone = z
  .string()
  .regex(/^\+\d{6,15}$/)
  .meta({ description: "Phone number in E.164 form, such as `+14155550123`." });
const documentNumber = z.string().min(4).max(32).optional();

/** A value that identifies a person or company at the caller. Plaid asks for no personal data in it. */
const clientUserId = id("Your id of the person or company, without personal data.");

export const itemInput = z.object({ item });

export const accountsInput = z.object({
  item,
  account_ids: z
    .array(id("Id of an account."))
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Only these accounts." }),
});

export const transactionsInput = z.object({
  item,
  cursor: z
    .string()
    .max(256)
    .optional()
    .meta({ description: "`next_cursor` of the call before. Without it, the whole history is read." }),
  account_id: id("Only changes of this account. Its cursors are its own.").optional(),
});

export const identityVerificationInput = z.object({
  client_user_id: clientUserId,
  template_id: id("Id of the template of Plaid's dashboard."),
  is_shareable: z.boolean().default(true).meta({ description: "Returns a link that can be sent to the person." }),
  gave_consent: z.boolean().meta({ description: "Whether the person has agreed to the privacy policy." }),
  user: z
    .object({
      email_address: email.optional(),
      phone_number: phone.optional(),
      date_of_birth: date.optional(),
      name: z.object({ given_name: z.string().min(1).max(100), family_name: z.string().min(1).max(100) }).optional(),
      address: z
        .object({
          street: z.string().min(1).max(80).optional(),
          street2: z.string().min(1).max(50).optional(),
          city: z.string().min(1).max(100).optional(),
          region: z.string().min(1).max(10).optional(),
          postal_code: z.string().min(2).max(10).optional(),
          country,
        })
        .optional(),
    })
    .optional()
    .meta({ description: "Facts that are known about the person." }),
});

export const individualScreeningInput = z.object({
  watchlist_program_id: id("Id of the program for people."),
  legal_name: z.string().min(1).max(100),
  date_of_birth: date.optional(),
  document_number: documentNumber,
  country: country.optional(),
  client_user_id: clientUserId.optional(),
});

export const entityScreeningInput = z.object({
  entity_watchlist_program_id: id("Id of the program for companies."),
  legal_name: z.string().min(1).max(100),
  document_number: documentNumber,
  email_address: email.optional(),
  country: country.optional(),
  phone_number: phone.optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  client_user_id: clientUserId.optional(),
});

export const transferAuthorizationInput = z.object({
  item,
  account_id: id("Id of the account that is debited or credited."),
  type: z.enum(["debit", "credit"]).meta({ description: "`debit` takes money from the account, `credit` pays it." }),
  network: z.enum(["ach", "same-day-ach", "rtp"]),
  amount,
  ach_class: z.enum(["ccd", "ppd", "tel", "web"]).optional().meta({ description: "For transfers by ACH." }),
  user: z.object({
    legal_name: z.string().min(1).max(100),
    email_address: email.optional(),
    phone_number: phone.optional(),
  }),
  ledger_id: id("Id of the ledger balance, if not the default one.").optional(),
});

export const transferInput = z.object({
  item,
  account_id: id("Id of the account that is debited or credited."),
  authorization_id: id("Id of the approved authorization, which permits one transfer."),
  amount: amount.meta({ description: "The amount, at most the authorized one, such as `10.00`." }),
  description: z.string().min(1).max(15).meta({ description: "The purpose: at most 10 characters by ACH, 15 by RTP." }),
  metadata: z.record(z.string().min(1).max(40), z.string().max(500)).optional(),
});
