import { ActionError, defineIntegration, type Integration } from "@procedo/engine";
import * as z from "zod";
import type { Stops } from "./stops.ts";

/** The agent's argument; it comes first, as in the calls. */
const amount = z.int().min(1);
const reference = z.string().max(100);

/** The bank as an integration: a payment is made once, and an entry may be sent again under its key. */
export function loopIntegration(stops: Stops): Integration {
  return defineIntegration({
    name: "bank",
    settings: z.object({ baseUrl: z.url() }),
    secrets: z.object({ token: z.string() }),
    actions: ({ defineAction }) => {
      const posting = <Input extends z.ZodObject>(path: string, effect: "once" | "idempotent", input: Input) =>
        defineAction({
          description: `Posts to ${path}.`,
          effect,
          input,
          run: async (body, { fetch, settings, secrets, idempotencyKey }) => {
            await stops.reach("call.made", "before");
            const response = await fetch(settings.baseUrl + path, {
              method: "POST",
              headers: {
                authorization: `Bearer ${secrets.token}`,
                "content-type": "application/json",
                "idempotency-key": idempotencyKey,
              },
              body: JSON.stringify(body),
            });
            const answer = (await response.json()) as Record<string, unknown>;
            await stops.reach("call.made", "after");
            if (response.ok) return answer;
            throw new ActionError(`The bank refused with ${response.status}.`);
          },
        });
      return {
        pay: posting("/pay", "once", z.object({ amount, reference, vendorId: z.string(), currency: z.string() })),
        book: posting("/book", "idempotent", z.object({ amount, reference, batchId: z.string() })),
      };
    },
  });
}
