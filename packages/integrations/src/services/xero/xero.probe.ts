import type { JsonObject } from "@procedo/contract";
import { createHmac } from "node:crypto";
import type { IntegrationProbe, ProbedCall, ProbedExchange } from "../../testing/index.ts";
import { xero } from "./xero.ts";

const tenantId = "c2cc9b6e-9458-4c7d-93cc-f02b81b0594f";

/** A connection to Xero. */
export const xeroConnection = {
  environment: "sandbox",
  settings: { clientId: "3F6E2A1C4B904F0A9F5B6D8E2A1C4B90", tenantId },
  secrets: { clientSecret: "cl1ent-s3cret-of-xero", webhookKey: "w3bh00ks-key-of-xero" },
  account: { id: tenantId, name: "Acme GmbH" },
} as const;

/** An organisation as `GET /connections` names it. */
export const connected = {
  id: "7cb59f93-2964-421d-bb5e-a0f7a4572a44",
  ...{ tenantId, tenantName: "Acme GmbH", tenantType: "ORGANISATION" },
};

const ids = {
  contact: "430fa14a-f945-44d3-9f97-5df5e28441b8",
  invoice: "a03ffcd2-5d91-4c7e-b483-318584e9e439",
  account: "5690f1e8-1d02-4893-90c2-ee1a69eff942",
  line: "52208ff9-528a-4985-a9ad-b2b1d4210e38",
};
const at = { UpdatedDateUTC: "/Date(1795770000123+0000)/" };
const inIso = { UpdatedDateUTC: "2026-11-27T09:00:00.123Z" };
const [day, dayInIso] = ["/Date(1795737600000+0000)/", "2026-11-27T00:00:00.000Z"];

const contact = { ContactID: ids.contact, Name: "Acme Supplies", ContactStatus: "ACTIVE", IsSupplier: true };
const line = { LineItemID: ids.line, Description: "Paper", Quantity: 3, UnitAmount: 0.1234, AccountCode: "400" };
const invoice = {
  ...{ InvoiceID: ids.invoice, InvoiceNumber: "1007", Type: "ACCPAY", Status: "DRAFT", CurrencyCode: "EUR" },
  ...{ Contact: { ContactID: ids.contact, Name: "Acme Supplies" }, LineItems: [line], Total: 0.37, AmountDue: 0.37 },
};
const payment = {
  ...{ PaymentID: "61ed71fc-01bf-4eb8-8419-8a18789ff45f", Amount: 0.37, Status: "AUTHORISED" },
  ...{ Invoice: { InvoiceID: ids.invoice }, Account: { AccountID: ids.account } },
};
const bankTransaction = {
  ...{ BankTransactionID: "db54aab0-ad40-4ced-bcff-0940ba20db2c", Type: "SPEND", Status: "AUTHORISED", Total: 9.9 },
  ...{ Contact: { ContactID: ids.contact }, BankAccount: { AccountID: ids.account }, LineItems: [line] },
};
const account = { AccountID: ids.account, Code: "090", Name: "Bank", Type: "BANK", Class: "ASSET", Status: "ACTIVE" };
const organisation = { OrganisationID: tenantId, Name: "Acme GmbH", BaseCurrency: "EUR", IsDemoCompany: true };

const api = "/api.xro/2.0";

/** The requests for the account of a connection. */
function accountExchanges({ isDemo }: { readonly isDemo: boolean }): readonly ProbedExchange[] {
  return [
    { request: "GET /connections", answer: [connected] },
    { request: `GET ${api}/Organisation`, answer: organisationOf({ isDemo }) },
  ];
}

/** An organisation as `GET /Organisation` answers it. */
export function organisationOf({ isDemo }: { readonly isDemo: boolean }): JsonObject {
  return { Organisations: [{ ...organisation, IsDemoCompany: isDemo }] };
}

/** One element in an answer of Xero, with a date. */
function one(
  args: JsonObject,
  request: string,
  {
    collection,
    element,
    sent,
  }: { readonly collection: string; readonly element: JsonObject; readonly sent?: JsonObject },
): ProbedCall {
  const answer = { [collection]: [{ ...element, ...at }] };
  return {
    ...{ args, exchanges: [{ request, answer, ...(sent !== undefined && { sent: { [collection]: [sent] } }) }] },
    output: { ...element, ...inIso },
  };
}

/** A list of two pages. */
function pages(collection: string, args: JsonObject, query: string, element: JsonObject): ProbedCall {
  const page = (number: number) => ({
    request: `GET ${api}/${collection}?${query}page=${number}&pageSize=250`,
    answer: {
      pagination: { page: number, pageSize: 250, pageCount: 2, itemCount: 251 },
      [collection]: [{ ...element, ...at }],
    },
  });
  const item = { ...element, ...inIso };
  return { args, exchanges: [page(1), page(2)], output: { items: [item, item], pages: 2, hasMore: false } };
}

const bill = {
  ...{ Type: "ACCPAY", Contact: { ContactID: ids.contact }, InvoiceNumber: "1007", DueDate: "2026-12-27" },
  LineItems: [{ Description: "Paper", Quantity: 3, UnitAmount: 0.1234, AccountCode: "400" }],
};
const change = { InvoiceID: ids.invoice, Status: "AUTHORISED", LineItems: [line] };
const paid = {
  ...{ Invoice: { InvoiceID: ids.invoice }, Account: { AccountID: ids.account }, Date: "2026-11-27", Amount: 0.37 },
};
const spent = {
  ...{ Type: "SPEND", Contact: { ContactID: ids.contact }, BankAccount: { Code: "090" }, Date: "2026-11-27" },
  LineItems: [{ Description: "Fee", LineAmount: 9.9, AccountCode: "404", TaxType: "NONE" }],
};
const supplier = {
  ...{ Name: "Acme Supplies", ContactNumber: "V-7", EmailAddress: "ap@acme.example" },
  Addresses: [{ AddressType: "STREET", City: "Berlin" }],
  Phones: [{ PhoneType: "DEFAULT", PhoneNumber: "123" }],
};

/** The facts about Xero, for a service at this address. */
export function xeroProbe(origin: string): IntegrationProbe {
  return {
    integration: xero({ baseUrl: origin, loginUrl: origin, identityUrl: origin }),
    connection: xeroConnection,
    account: {
      exchanges: accountExchanges({ isDemo: true }),
      account: xeroConnection.account,
      misplaced: accountExchanges({ isDemo: false }),
    },
    calls: {
      find_contacts: pages(
        "Contacts",
        { searchTerm: "acme", IDs: [ids.contact, ids.line] },
        `searchTerm=acme&IDs=${ids.contact}%2C${ids.line}&`,
        contact,
      ),
      get_contact: one({ ContactID: ids.contact }, `GET ${api}/Contacts/${ids.contact}`, {
        ...{ collection: "Contacts", element: contact },
      }),
      upsert_contact: one(supplier, `POST ${api}/Contacts`, {
        ...{ collection: "Contacts", element: contact, sent: supplier },
      }),
      list_invoices: pages(
        "Invoices",
        { Statuses: ["DRAFT", "SUBMITTED"], InvoiceNumbers: ["1007"], where: 'Type=="ACCPAY"', order: "Date DESC" },
        "where=Type%3D%3D%22ACCPAY%22&order=Date%20DESC&Statuses=DRAFT%2CSUBMITTED&InvoiceNumbers=1007&unitdp=4&",
        invoice,
      ),
      get_invoice: one({ InvoiceID: ids.invoice }, `GET ${api}/Invoices/${ids.invoice}?unitdp=4`, {
        ...{ collection: "Invoices", element: invoice },
      }),
      create_invoice: one(bill, `PUT ${api}/Invoices?unitdp=4`, {
        ...{ collection: "Invoices", element: invoice, sent: bill },
      }),
      update_invoice: one(change, `POST ${api}/Invoices/${ids.invoice}?unitdp=4`, {
        ...{ collection: "Invoices", element: invoice, sent: change },
      }),
      create_payment: one(paid, `PUT ${api}/Payments`, {
        ...{ collection: "Payments", element: payment, sent: paid },
      }),
      list_payments: pages("Payments", { order: "Date ASC" }, "order=Date%20ASC&", payment),
      create_bank_transaction: one(spent, `PUT ${api}/BankTransactions?unitdp=4`, {
        ...{ collection: "BankTransactions", element: bankTransaction, sent: spent },
      }),
      list_bank_transactions: pages("BankTransactions", {}, "unitdp=4&", bankTransaction),
      list_accounts: {
        args: { where: 'Type=="BANK"' },
        exchanges: [
          { request: `GET ${api}/Accounts?where=Type%3D%3D%22BANK%22`, answer: { Accounts: [{ ...account, ...at }] } },
        ],
        output: { items: [{ ...account, ...inIso }], pages: 1, hasMore: false },
      },
      get_organisation: {
        args: {},
        exchanges: [
          {
            request: `GET ${api}/Organisation`,
            answer: { Organisations: [{ ...organisation, APIKey: "XERO2XERO-KEY-1", PeriodLockDate: day }] },
          },
        ],
        output: { ...organisation, APIKey: "[redacted]", PeriodLockDate: dayInIso },
      },
    },
    inbound: {
      header: "x-xero-signature",
      bodies: Object.fromEntries(xeroEventSamples().map(([type, sample]) => [type, deliveryOf(sample)])),
      sign: (body, { secrets }) => ({ "x-xero-signature": signedByXero(body, secrets["webhookKey"] ?? "") }),
    },
  };
}

function xeroEventSamples(): readonly (readonly [string, JsonObject])[] {
  return (xero().inbound?.events ?? []).map(({ type, sample }) => [type, sample as JsonObject]);
}

/** A delivery with these events. */
export function deliveryOf(...events: readonly JsonObject[]): string {
  return JSON.stringify({ events, lastEventSequence: 7, firstEventSequence: 7, entropy: "S0m3r4Nd0mt3xt" });
}

/** The value of `x-xero-signature`. */
export function signedByXero(body: string, key: string): string {
  return createHmac("sha256", key).update(body).digest("base64");
}
