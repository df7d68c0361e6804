/*
 * The objects and arguments of Xero, as far as procedures use them, with the names of Xero's document. Amounts are decimal
 * numbers in the currency of their object. Objects within arguments take no other members, so that none is dropped.
 */
import * as z from "zod";

const id = (kind: string) => z.guid().meta({ description: `Id of ${kind}.` });
const text = (max: number) => z.string().min(1).max(max);
const day = z.iso.date();
const time = z.string().meta({ description: "ISO 8601, in UTC." });

/** A number that Xero does not round. */
const decimal = (places: number) =>
  z
    .number()
    .min(-9_999_999_999.99)
    .max(9_999_999_999.99)
    .refine((value) => Number(value.toFixed(places)) === value, `must have at most ${places} decimals`);

const amount = decimal(2);
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: "ISO 4217 code, such as `EUR`. Left out: the currency of the organisation." });
const rate = z
  .number()
  .positive()
  .meta({ description: "Rate to the currency of the organisation. Left out: Xero's own." });
const lineAmountTypes = z
  .enum(["Exclusive", "Inclusive", "NoTax"])
  .meta({ description: "Whether the amounts of the lines have their tax in them. Left out: `Exclusive`." });

/** A person or company that the organisation buys from or sells to. */
export const contact = z.looseObject({
  ContactID: z.string(),
  Name: z.string(),
  ContactNumber: z.string().optional(),
  AccountNumber: z.string().optional(),
  ContactStatus: z.string().optional().meta({ description: "`ACTIVE`, `ARCHIVED` or `GDPRREQUEST`." }),
  EmailAddress: z.string().optional(),
  TaxNumber: z.string().optional(),
  BankAccountDetails: z.string().optional(),
  DefaultCurrency: z.string().optional(),
  IsSupplier: z.boolean().optional(),
  IsCustomer: z.boolean().optional(),
  UpdatedDateUTC: time.optional(),
});

const line = z.looseObject({
  LineItemID: z.string().optional(),
  Description: z.string().optional(),
  Quantity: z.number().optional(),
  UnitAmount: z.number().optional(),
  LineAmount: z.number().optional(),
  TaxAmount: z.number().optional(),
  TaxType: z.string().optional(),
  AccountCode: z.string().optional(),
  ItemCode: z.string().optional(),
});

const shortContact = z.looseObject({ ContactID: z.string().optional(), Name: z.string().optional() });

/** A sales invoice (`ACCREC`) or a bill (`ACCPAY`). */
export const invoice = z.looseObject({
  InvoiceID: z.string(),
  InvoiceNumber: z.string().optional(),
  Type: z.string(),
  Status: z.string().meta({ description: "`DRAFT`, `SUBMITTED`, `AUTHORISED`, `PAID`, `VOIDED` or `DELETED`." }),
  Contact: shortContact.optional(),
  Date: time.optional(),
  DueDate: time.optional(),
  Reference: z.string().optional(),
  CurrencyCode: z.string().optional(),
  LineAmountTypes: z.string().optional(),
  LineItems: z.array(line).optional(),
  SubTotal: z.number().optional(),
  TotalTax: z.number().optional(),
  Total: z.number().optional(),
  AmountDue: z.number().optional(),
  AmountPaid: z.number().optional(),
  AmountCredited: z.number().optional(),
  FullyPaidOnDate: time.optional(),
  HasAttachments: z.boolean().optional(),
  UpdatedDateUTC: time.optional(),
});

/** A payment of an invoice or a bill. */
export const payment = z.looseObject({
  PaymentID: z.string(),
  Status: z.string().optional().meta({ description: "`AUTHORISED` or `DELETED`." }),
  PaymentType: z.string().optional(),
  Date: time.optional(),
  Amount: z.number().optional(),
  BankAmount: z.number().optional(),
  CurrencyRate: z.number().optional(),
  Reference: z.string().optional(),
  IsReconciled: z.boolean().optional(),
  Invoice: z.looseObject({ InvoiceID: z.string().optional(), InvoiceNumber: z.string().optional() }).optional(),
  Account: z.looseObject({ AccountID: z.string().optional(), Code: z.string().optional() }).optional(),
  UpdatedDateUTC: time.optional(),
});

/** Money that was spent or received without an invoice. */
export const bankTransaction = z.looseObject({
  BankTransactionID: z.string(),
  Type: z.string(),
  Status: z.string().optional(),
  Contact: shortContact.optional(),
  BankAccount: z.looseObject({ AccountID: z.string().optional(), Code: z.string().optional() }).optional(),
  Date: time.optional(),
  Reference: z.string().optional(),
  CurrencyCode: z.string().optional(),
  LineItems: z.array(line).optional(),
  SubTotal: z.number().optional(),
  TotalTax: z.number().optional(),
  Total: z.number().optional(),
  IsReconciled: z.boolean().optional(),
  UpdatedDateUTC: time.optional(),
});

/** An account of the chart of accounts. */
export const account = z.looseObject({
  AccountID: z.string(),
  Code: z.string().optional(),
  Name: z.string(),
  Type: z.string().optional(),
  Class: z.string().optional(),
  Status: z.string().optional(),
  TaxType: z.string().optional(),
  CurrencyCode: z.string().optional(),
  BankAccountNumber: z.string().optional(),
  EnablePaymentsToAccount: z.boolean().optional(),
});

/** The organisation itself. */
export const organisation = z.looseObject({
  OrganisationID: z.string(),
  Name: z.string(),
  LegalName: z.string().optional(),
  BaseCurrency: z.string().optional(),
  CountryCode: z.string().optional(),
  IsDemoCompany: z.boolean().optional(),
  Timezone: z.string().optional(),
  PeriodLockDate: time.optional(),
  EndOfYearLockDate: time.optional(),
});

const givenLine = z.strictObject({
  Description: text(4_000),
  Quantity: decimal(4).optional(),
  UnitAmount: decimal(4).optional(),
  LineAmount: amount.optional(),
  AccountCode: text(10).optional().meta({ description: "Code of an account, such as `400`." }),
  ItemCode: text(30).optional(),
  TaxType: text(50).optional().meta({ description: "Left out: that of the account." }),
  DiscountRate: decimal(4).optional().meta({ description: "In per cent. Sales invoices only." }),
  Tracking: z
    .array(z.strictObject({ Name: text(100), Option: text(100) }))
    .max(2)
    .optional(),
});

const withContact = z.strictObject({ ContactID: id("a contact") });
const bankAccount = z
  .union([z.strictObject({ AccountID: id("an account") }), z.strictObject({ Code: text(10) })])
  .meta({ description: "The account, by its id or its code." });

const aboutInvoice = {
  InvoiceNumber: text(255).optional(),
  Reference: text(255).optional().meta({ description: "Sales invoices only." }),
  Date: day.optional().meta({ description: "Left out: today." }),
  DueDate: day.optional(),
  ExpectedPaymentDate: day.optional(),
  PlannedPaymentDate: day.optional(),
  LineAmountTypes: lineAmountTypes.optional(),
  Url: z.url().max(2_000).optional().meta({ description: "Link to the source, which Xero shows." }),
  SentToContact: z.boolean().optional().meta({ description: "Marks an approved sales invoice as sent." }),
};

/** The arguments of the actions that change something. */
export const given = {
  contact: z.object({
    ContactID: id("the contact to be changed. Left out: the one with this number or name, or a new one").optional(),
    Name: text(255),
    ContactNumber: text(50).optional().meta({ description: "Your own id of the contact." }),
    AccountNumber: text(50).optional(),
    EmailAddress: z.email().max(255).optional(),
    FirstName: text(255).optional(),
    LastName: text(255).optional(),
    CompanyNumber: text(50).optional(),
    TaxNumber: text(50).optional(),
    BankAccountDetails: text(255).optional().meta({ description: "Number of the contact's bank account." }),
    DefaultCurrency: currency.optional(),
    Addresses: z
      .array(
        z.strictObject({
          AddressType: z.enum(["POBOX", "STREET"]),
          AddressLine1: text(500).optional(),
          AddressLine2: text(500).optional(),
          City: text(255).optional(),
          Region: text(255).optional(),
          PostalCode: text(50).optional(),
          Country: text(50).optional(),
        }),
      )
      .max(2)
      .optional(),
    Phones: z
      .array(
        z.strictObject({
          PhoneType: z.enum(["DEFAULT", "DDI", "MOBILE", "FAX"]),
          PhoneNumber: text(50),
          PhoneAreaCode: text(10).optional(),
          PhoneCountryCode: text(20).optional(),
        }),
      )
      .max(4)
      .optional(),
  }),
  invoice: z.object({
    Type: z.enum(["ACCREC", "ACCPAY"]).meta({ description: "`ACCREC`: a sales invoice; `ACCPAY`: a bill." }),
    Contact: withContact,
    LineItems: z.array(givenLine).min(1).max(500),
    Status: z.enum(["DRAFT", "SUBMITTED", "AUTHORISED"]).optional().meta({ description: "Left out: `DRAFT`." }),
    CurrencyCode: currency.optional(),
    CurrencyRate: rate.optional(),
    ...aboutInvoice,
  }),
  invoiceChange: z.object({
    InvoiceID: id("the invoice or bill"),
    Status: z
      .enum(["DRAFT", "SUBMITTED", "AUTHORISED", "DELETED", "VOIDED"])
      .optional()
      .meta({ description: "`DELETED` for a draft, `VOIDED` for an approved one without payments." }),
    LineItems: z
      .array(givenLine.extend({ LineItemID: id("the line. Left out: a new line").optional() }))
      .min(1)
      .max(500)
      .optional()
      .meta({ description: "All lines: one that is not among them is deleted. Left out: the lines stay." }),
    ...aboutInvoice,
  }),
  payment: z.object({
    Invoice: z.strictObject({ InvoiceID: id("the approved invoice or bill that is paid") }),
    Account: bankAccount,
    Date: day,
    Amount: amount.positive().meta({ description: "In the currency of the invoice, at most the amount due." }),
    CurrencyRate: rate.optional(),
    Reference: text(255).optional(),
    IsReconciled: z.boolean().optional(),
  }),
  bankTransaction: z.object({
    Type: z.enum(["SPEND", "RECEIVE"]),
    Contact: withContact,
    BankAccount: bankAccount,
    LineItems: z.array(givenLine).min(1).max(500),
    Date: day.optional().meta({ description: "Left out: today." }),
    Reference: text(255).optional(),
    LineAmountTypes: lineAmountTypes.optional(),
    CurrencyCode: currency.optional(),
    CurrencyRate: rate.optional(),
    Url: z.url().max(2_000).optional(),
    IsReconciled: z.boolean().optional(),
  }),
};

const filters = {
  where: text(2_000)
    .optional()
    .meta({ description: 'A condition in Xero\'s own language, such as `Type=="ACCPAY" AND AmountDue>0`.' }),
  order: text(255).optional().meta({ description: "Such as `UpdatedDateUTC DESC`." }),
  modifiedSince: z.iso.datetime().optional().meta({ description: "Only those that were changed since then." }),
};
const ids = (kind: string) => z.array(id(kind)).min(1).max(40).optional();

/** The arguments of the lists. */
export const listed = {
  contacts: z.object({
    searchTerm: text(255).optional().meta({ description: "A part of a name, number or e-mail address." }),
    IDs: ids("a contact"),
    includeArchived: z.boolean().optional(),
    ...filters,
  }),
  invoices: z.object({
    Statuses: z
      .array(z.enum(["DRAFT", "SUBMITTED", "AUTHORISED", "PAID", "VOIDED", "DELETED"]))
      .min(1)
      .optional(),
    ContactIDs: ids("a contact"),
    InvoiceNumbers: z
      .array(z.string().regex(/^[^,]{1,255}$/))
      .min(1)
      .max(40)
      .optional(),
    IDs: ids("an invoice or bill"),
    searchTerm: text(255).optional().meta({ description: "A part of a number or reference." }),
    ...filters,
  }),
  payments: z.object(filters),
  bankTransactions: z.object(filters),
  accounts: z.object(filters),
};

/** The id of an object in a path. */
export const identified = {
  contact: z.object({ ContactID: id("a contact") }),
  invoice: z.object({ InvoiceID: id("an invoice or bill") }),
};
