import { maxKeyLength } from "./make-payment.ts";
import { maxAmount } from "./order-fields.ts";
import { maxReferenceLength } from "./payment-order.ts";

const text = { type: "string" };
const minorUnits = {
  type: "integer",
  format: "int64",
  minimum: 1,
  maximum: maxAmount,
  description: "In minor units of the currency.",
};
const currency = { type: "string", pattern: "^[A-Z]{3}$", description: "ISO 4217 code.", example: "EUR" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string) => object({ data: { type: "array", items: ref(name) } });
const json = (schema: object) => ({ "application/json": { schema } });

const order = {
  vendorId: { ...text, example: "ven_acme" },
  amount: minorUnits,
  currency,
  invoiceId: { ...text, example: "inv_1001" },
  reference: { ...text, maxLength: maxReferenceLength },
};

const schemas = {
  Vendor: object({
    id: text,
    name: text,
    status: { type: "string", enum: ["active", "blocked"] },
    country: { ...text, description: "ISO 3166-1 alpha-2 code." },
    currency,
  }),
  Invoice: object({
    id: text,
    vendorId: text,
    amount: minorUnits,
    currency,
    dueDate: { type: "string", format: "date" },
    amountPaid: { ...minorUnits, minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    status: { type: "string", enum: ["open", "paid"] },
  }),
  PaymentOrder: { ...object(order, ["vendorId", "amount", "currency"]), additionalProperties: false },
  Payment: object(
    {
      id: text,
      ...order,
      status: { type: "string", enum: ["executed"] },
      createdAt: { type: "string", format: "date-time" },
    },
    ["id", "vendorId", "amount", "currency", "status", "createdAt"],
  ),
  Event: object({
    id: { ...text, description: "The same for every attempt to send the event." },
    type: { type: "string", enum: ["payment.settled", "invoice.received"] },
    occurredAt: { type: "string", format: "date-time" },
    data: { type: "object", description: "The payment or the invoice." },
  }),
  Error: object({ code: { ...text, example: "vendor_blocked" }, message: text }),
};

const idParameter = { name: "id", in: "path", required: true, schema: text };
const keyParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The same key and body is one payment, answered again with `Idempotent-Replay: true`; another body is a 422.",
  schema: { type: "string", minLength: 1, maxLength: maxKeyLength },
};

/** The ledger's OpenAPI 3.0 document. Operations have no `operationId`, as in many documents of customers. */
export function openApiDocument(ledger: { readonly url: string; readonly secured: boolean }): object {
  const refused = (description: string) => ({ description, content: json(ref("Error")) });
  const unauthorized = ledger.secured ? { 401: refused("The bearer token is missing or wrong.") } : {};
  const get = (summary: string, schema: object, parameters: readonly object[] = []) => ({
    get: {
      summary,
      parameters,
      responses: {
        200: { description: "OK", content: json(schema) },
        ...unauthorized,
        ...(parameters.includes(idParameter) && { 404: refused("There is none with this id.") }),
      },
    },
  });
  const post = {
    summary: "Make a payment",
    parameters: [keyParameter],
    requestBody: { required: true, content: json(ref("PaymentOrder")) },
    responses: {
      201: {
        description: "The payment was made, now or by an earlier request with this key.",
        headers: { "Idempotent-Replay": { description: "`true` on a repeat.", schema: text } },
        content: json(ref("Payment")),
      },
      400: refused("The request is malformed."),
      ...unauthorized,
      422: refused("Nothing was paid; `code` says why."),
    },
  };
  const period = ["from", "to"].map((name) => {
    return { name, in: "query", required: false, schema: { type: "string", format: "date-time" } };
  });
  const filter = { name: "vendorId", in: "query", required: false, schema: text };
  return {
    openapi: "3.0.3",
    info: { title: "Ledger", version: "1.0.0", description: "Vendors, invoices and payments." },
    servers: [{ url: ledger.url }],
    ...(ledger.secured && { security: [{ bearer: [] }] }),
    paths: {
      "/vendors": get("List vendors", listOf("Vendor")),
      "/vendors/{id}": get("Get a vendor", ref("Vendor"), [idParameter]),
      "/invoices": get("List invoices", listOf("Invoice"), [filter]),
      "/invoices/{id}": get("Get an invoice", ref("Invoice"), [idParameter]),
      "/payments": { ...get("List payments", listOf("Payment")), post },
      "/payments/{id}": get("Get a payment", ref("Payment"), [idParameter]),
      "/events": get("List events of a period", listOf("Event"), period),
    },
    components: { schemas, ...(ledger.secured && { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } }) },
  };
}

function object(properties: Readonly<Record<string, object>>, required = Object.keys(properties)) {
  return { type: "object", properties, required };
}
