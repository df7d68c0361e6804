import { ActionError, defineIntegration, type CallContext, type Integration } from "@procedo/engine";
import * as z from "zod";

const settings = z.object({ baseUrl: z.url() });
const secrets = z.object({ token: z.string() });

/** The bank: a payment whose amount and reference an agent proposes, and documents that anyone may have written. */
export const hostileIntegrations: readonly Integration[] = ["bank", "vault"].map((name) =>
  defineIntegration({
    name,
    settings,
    secrets,
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Pays a vendor.",
        effect: "once",
        input: z.object({
          amount: z.int().min(1),
          reference: z.string().max(140),
          vendorId: z.string(),
          currency: z.enum(["EUR", "USD"]),
        }),
        run: (body, context) => request(context, "/pay", body),
      }),
      read_document: defineAction({
        description: "Reads a document.",
        effect: "read",
        input: z.object({ id: z.string() }),
        run: ({ id }, context) => request(context, `/documents/${id}`),
      }),
    }),
  }),
);

interface HostileContext extends Pick<CallContext, "fetch" | "idempotencyKey"> {
  readonly settings: z.output<typeof settings>;
  readonly secrets: z.output<typeof secrets>;
}

async function request(
  { fetch, settings: { baseUrl }, secrets: { token }, idempotencyKey }: HostileContext,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(baseUrl + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.ok) return answer;
  throw new ActionError(`The bank refused: ${String(answer["message"])}`);
}
