import type { JsonValue } from "@procedo/contract";
import type { ActionDefinition } from "@procedo/engine";
import * as z from "zod";
import type { Service, ServiceAction, ServiceList, ServicePages, ServiceRequest } from "../../kit/index.ts";
import type { XeroSecrets, XeroSettings } from "./xero-connection.ts";
import { withIsoDates } from "./xero-dates.ts";
import {
  account,
  bankTransaction,
  contact,
  given,
  identified,
  invoice,
  listed,
  organisation,
  payment,
} from "./xero-objects.ts";

/** Xero keeps an idempotency key for six minutes from its first request. A call is not repeated near the end of them. */
const idempotencyKeyTtlMs = 5 * 60_000;

/** Unit amounts keep their four decimals. Xero rounds them to two without this. */
const unitdp = 4;

/** Requests are few (60 in a minute), and an invoice with its lines is large. */
const pageSize = 250;

/**
 * The actions of Xero. Each one with an effect is idempotent.
 *
 * Source: https://developer.xero.com/documentation/guides/idempotent-requests/idempotency/
 */
export function xeroActions({ action, list }: Service<XeroSettings, XeroSecrets>): {
  readonly [name: string]: ActionDefinition<z.ZodObject, z.ZodType, XeroSettings, XeroSecrets>;
} {
  /** Reads one element of a collection. */
  const reading = <Input extends z.ZodObject, Output extends z.ZodType>(
    collection: string,
    definition: Pick<ServiceAction<Input, Output, XeroSettings>, "description" | "input" | "output" | "request">,
  ) => action({ effect: "read", ...definition, read: only(collection) });

  /** Sends one element to a collection. */
  const writing = <Input extends z.ZodObject, Output extends z.ZodType>(
    collection: string,
    definition: Pick<ServiceAction<Input, Output, XeroSettings>, "description" | "input" | "output"> & {
      readonly request: (input: z.output<Input>) => ServiceRequest;
    },
  ) => action({ effect: "idempotent", idempotencyKeyTtlMs, ...definition, read: only(collection) });

  const listing = <Input extends z.ZodObject, Item extends z.ZodType>(
    collection: string,
    { filter, ...definition }: ListedCollection<Input, Item>,
  ) =>
    list({
      ...definition,
      request: (input) => listRequest(collection, filter(input)),
      ...pagesOf(collection),
    });

  return {
    find_contacts: listing("Contacts", {
      description: "Finds contacts: by a part of their name, number or e-mail address, or by a condition.",
      input: listed.contacts,
      item: contact,
      filter: (input) => ({ ...input, IDs: input.IDs?.join(",") }),
    }),
    get_contact: reading("Contacts", {
      description: "Reads a contact.",
      input: identified.contact,
      output: contact,
      request: (params) => ({ path: `${root}/Contacts/{ContactID}`, params }),
    }),
    upsert_contact: writing("Contacts", {
      description: "Creates a contact, or changes the one with its id, its number or its name.",
      input: given.contact,
      output: contact,
      request: (element) => ({ method: "POST", path: `${root}/Contacts`, json: { Contacts: [element] } }),
    }),

    list_invoices: listing("Invoices", {
      description: "Lists sales invoices and bills.",
      input: listed.invoices,
      item: invoice,
      filter: ({ Statuses, ContactIDs, InvoiceNumbers, IDs, ...input }) => ({
        ...input,
        Statuses: Statuses?.join(","),
        ContactIDs: ContactIDs?.join(","),
        InvoiceNumbers: InvoiceNumbers?.join(","),
        IDs: IDs?.join(","),
        unitdp,
      }),
    }),
    get_invoice: reading("Invoices", {
      description: "Reads a sales invoice or a bill, with its lines.",
      input: identified.invoice,
      output: invoice,
      request: (params) => ({ path: `${root}/Invoices/{InvoiceID}`, params, query: { unitdp } }),
    }),
    create_invoice: writing("Invoices", {
      description: "Creates a sales invoice or a bill: a draft, or one that is approved at once.",
      input: given.invoice,
      output: invoice,
      // PUT only creates. POST would change an invoice with the same number.
      request: (element) => ({
        method: "PUT",
        path: `${root}/Invoices`,
        query: { unitdp },
        json: { Invoices: [element] },
      }),
    }),
    update_invoice: writing("Invoices", {
      description: "Changes a sales invoice or a bill, or approves, voids or deletes it.",
      input: given.invoiceChange,
      output: invoice,
      request: (element) => ({
        ...{ method: "POST", path: `${root}/Invoices/{InvoiceID}`, params: { InvoiceID: element.InvoiceID } },
        ...{ query: { unitdp }, json: { Invoices: [element] } },
      }),
    }),

    create_payment: writing("Payments", {
      description: "Records that an approved invoice or bill was paid, in whole or in part. It moves no money.",
      input: given.payment,
      output: payment,
      request: (element) => ({ method: "PUT", path: `${root}/Payments`, json: { Payments: [element] } }),
    }),
    list_payments: listing("Payments", {
      description: "Lists payments of invoices, bills and credit notes.",
      input: listed.payments,
      item: payment,
      filter: (input) => input,
    }),

    create_bank_transaction: writing("BankTransactions", {
      description: "Records money that was spent or received without an invoice.",
      input: given.bankTransaction,
      output: bankTransaction,
      request: (element) => ({
        ...{
          method: "PUT",
          path: `${root}/BankTransactions`,
          query: { unitdp },
          json: { BankTransactions: [element] },
        },
      }),
    }),
    list_bank_transactions: listing("BankTransactions", {
      description: "Lists money that was spent or received without an invoice.",
      input: listed.bankTransactions,
      item: bankTransaction,
      filter: (input) => ({ ...input, unitdp }),
    }),

    list_accounts: list({
      description: "Lists the chart of accounts.",
      input: listed.accounts,
      item: account,
      request: (input) => filtered("Accounts", input),
      items: itemsOf("Accounts"),
      next: () => undefined,
    }),
    get_organisation: reading("Organisations", {
      description: "Reads the organisation: its name, currency and lock dates.",
      input: z.object({}),
      output: organisation,
      request: () => ({ path: `${root}/Organisation` }),
    }),
  };
}

const root = "/api.xro/2.0";

interface Filter {
  readonly [name: string]: string | number | boolean | undefined;
}

interface ListedCollection<Input extends z.ZodObject, Item extends z.ZodType> extends Pick<
  ServiceList<Input, Item, XeroSettings>,
  "description" | "input" | "item"
> {
  /** The query, with lists as one text. */
  readonly filter: (input: z.output<Input>) => Filter;
}

function listRequest(collection: string, filter: Filter): ServiceRequest {
  const request = filtered(collection, filter);
  return { ...request, query: { ...request.query, page: 1, pageSize } };
}

/** The time of the last change is a header at Xero. */
function filtered(collection: string, { modifiedSince, ...query }: Filter): ServiceRequest {
  const path = `${root}/${collection}`;
  if (modifiedSince === undefined) return { path, query };
  return { path, query, headers: { "If-Modified-Since": String(modifiedSince) } };
}

const paginated = z.looseObject({ pagination: z.looseObject({ page: z.int(), pageCount: z.int() }).nullish() });

function pagesOf(collection: string): Pick<ServicePages, "items" | "next"> {
  const items = itemsOf(collection);
  return {
    items,
    next: (body, sent) => {
      const page = Number(sent.query?.["page"]);
      const { pagination } = paginated.parse(body);
      const hasMore = pagination ? page < pagination.pageCount : items(body).length >= pageSize;
      return hasMore ? { ...sent, query: { ...sent.query, page: page + 1 } } : undefined;
    },
  };
}

function itemsOf(collection: string): (body: JsonValue) => readonly JsonValue[] {
  const page = z.looseObject({ [collection]: z.array(z.json()) });
  return (body) => (page.parse(body)[collection] as readonly JsonValue[]).map(withIsoDates);
}

/** The only element of an answer. */
function only(collection: string): (body: JsonValue) => JsonValue {
  const items = itemsOf(collection);
  return (body) => {
    const [first, ...more] = items(body);
    if (first === undefined || more.length > 0) throw new Error(`It has ${more.length + 1} ${collection}, or none.`);
    return first;
  };
}
