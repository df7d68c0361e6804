import { ActionError, defineIntegration, type GuardedFetch } from "@procedo/engine";
import * as z from "zod";

const vendor = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(["active", "blocked"]),
  country: z.string(),
  currency: z.string(),
});

const invoice = z.object({
  id: z.string(),
  vendorId: z.string(),
  /** In minor units, as all amounts. */
  amount: z.int(),
  currency: z.string(),
  dueDate: z.string(),
  amountPaid: z.int(),
  status: z.enum(["open", "paid"]),
});

const order = z.object({
  vendorId: z.string(),
  invoiceId: z.string(),
  amount: z.int().min(1),
  currency: z.string(),
});

const payment = order.extend({ id: z.string(), status: z.literal("executed"), createdAt: z.string() });

/** The ledger as an integration: where it is and how to sign in belong to the connection, not to the code. */
export const ledgerIntegration = defineIntegration({
  name: "ledger",
  title: "Accounts payable",
  settings: z.object({ baseUrl: z.url() }),
  secrets: z.object({ token: z.string() }),
  actions: ({ defineAction }) => ({
    get_vendor: defineAction({
      description: "Looks a vendor up.",
      effect: "read",
      input: z.object({ id: z.string() }),
      output: vendor,
      run: ({ id }, context) => read(context, `/vendors/${encodeURIComponent(id)}`, vendor),
    }),
    get_invoice: defineAction({
      description: "Looks an invoice up, with what has been paid on it.",
      effect: "read",
      input: z.object({ id: z.string() }),
      output: invoice,
      run: ({ id }, context) => read(context, `/invoices/${encodeURIComponent(id)}`, invoice),
    }),
    make_payment: defineAction({
      description: "Pays a vendor's invoice.",
      // The ledger honours keys, so "idempotent" would be true as well. Here money moves again only when a person says so.
      effect: "once",
      timeoutMs: 10_000,
      input: order,
      output: payment,
      run: async (body, { fetch, settings, secrets, idempotencyKey }) =>
        payment.parse(
          await answerOf(
            await fetch(`${settings.baseUrl}/payments`, {
              method: "POST",
              headers: { ...signedIn(secrets), "content-type": "application/json", "idempotency-key": idempotencyKey },
              body: JSON.stringify(body),
            }),
          ),
        ),
    }),
  }),
});

interface Access {
  readonly fetch: GuardedFetch;
  readonly settings: { readonly baseUrl: string };
  readonly secrets: { readonly token: string };
}

async function read<T>({ fetch, settings, secrets }: Access, path: string, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(await answerOf(await fetch(settings.baseUrl + path, { headers: signedIn(secrets) })));
}

function signedIn({ token }: Access["secrets"]): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

const refusal = z.object({ code: z.string(), message: z.string() });

/** The answer's body. A refusal is an error that says so; after any other failure nobody knows what the ledger did. */
async function answerOf(response: Response): Promise<unknown> {
  const { status } = response;
  if (response.ok) return response.json();
  if (status >= 500) throw new Error(`The ledger answered ${status}.`);
  const { code, message } = refusal.parse(await response.json());
  throw new ActionError(message, { outcome: "refused", retryable: status === 429, details: { status, code } });
}
