import { ActionError, defineIntegration, type Integration } from "@procedo/engine";
import * as z from "zod";
import type { Failpoints } from "./failpoints.ts";

/** A request without an answer for this long has left. */
const leftAfterMs = 20;

const order = z.object({ vendorId: z.string(), amount: z.int(), currency: z.string(), reference: z.string() });

/** The ledger as an integration, with failpoints before and after its payments. */
export function bankIntegration(failpoints: Failpoints): Integration {
  return defineIntegration({
    name: "bank",
    settings: z.object({ baseUrl: z.url() }),
    secrets: z.object({ token: z.string() }),
    actions: ({ defineAction }) => {
      const payment = (effect: "once" | "idempotent") =>
        defineAction({
          description: `Pays, ${effect}.`,
          effect,
          input: order,
          run: async (body, { fetch, settings, secrets, idempotencyKey }) => {
            failpoints.reach("tool.sent", "before");
            const sent = setTimeout(() => failpoints.reach("tool.sent", "after"), leftAfterMs);
            const response = await fetch(`${settings.baseUrl}/payments`, {
              method: "POST",
              headers: {
                authorization: `Bearer ${secrets.token}`,
                "content-type": "application/json",
                "idempotency-key": idempotencyKey,
              },
              body: JSON.stringify(body),
            }).finally(() => clearTimeout(sent));
            failpoints.reach("tool.received", "before");
            const answer = await answerOf(response);
            queueMicrotask(() => failpoints.reach("tool.received", "after"));
            return answer;
          },
        });
      return {
        look_up: defineAction({
          description: "Looks a vendor up.",
          effect: "read",
          input: z.object({ id: z.string() }),
          run: async ({ id }, { fetch, settings, secrets }) =>
            answerOf(
              await fetch(`${settings.baseUrl}/vendors/${id}`, {
                headers: { authorization: `Bearer ${secrets.token}` },
              }),
            ),
        }),
        stumble: defineAction({
          description: "Is busy the first time, so that the run waits for a moment.",
          effect: "read",
          input: z.object({}),
          run: (_input, { attempt }) => {
            if (attempt === 1) throw new ActionError("Busy.", { retryable: true });
            return { attempt };
          },
        }),
        pay_once: payment("once"),
        pay_idempotent: payment("idempotent"),
      };
    },
  });
}

async function answerOf(response: Response): Promise<Record<string, unknown>> {
  const body = (await response.json()) as Record<string, unknown>;
  if (response.ok) return body;
  if (response.status < 500) throw new ActionError(`The ledger refused with ${response.status}.`);
  throw new Error(`The ledger answered ${response.status}.`);
}
