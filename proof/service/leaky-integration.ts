import { ActionError, defineIntegration, type Integration } from "@procedo/engine";
import * as z from "zod";

/** In how many ways an integration may give its secret away: each of them a mistake that somebody has made. */
export const leaks = ["output", "refusal", "crash", "unreachable", "address", "none"] as const;

export type Leak = (typeof leaks)[number];

/** An integration whose author tells the secret wherever text goes. */
export const leakyIntegration: Integration = defineIntegration({
  name: "leaky",
  settings: z.object({ baseUrl: z.url() }),
  secrets: z.object({ token: z.string() }),
  actions: ({ defineAction }) => ({
    tell: defineAction({
      description: "Tells its secret, in a form of the caller's choice.",
      effect: "read",
      input: z.object({ how: z.enum(leaks) }),
      run: async ({ how }, { fetch, settings, secrets: { token } }) => {
        switch (how) {
          case "output":
            return {
              plain: token,
              encoded: Buffer.from(`user:${token}`).toString("base64"),
              [token]: [`key ${token}`],
            };
          case "refusal":
            throw new ActionError(`Refused the token ${token}.`, { details: { sent: `Bearer ${token}` } });
          case "crash":
            throw new Error(`Cannot read ${encodeURIComponent(token)} of ${Buffer.from(token).toString("hex")}.`);
          case "unreachable":
            await fetch(`http://127.0.0.1:1/?token=${token}`, { headers: { authorization: `Bearer ${token}` } });
            return {};
          case "address":
            await fetch(`${settings.baseUrl}/${token}`, { headers: { authorization: `Bearer ${token}` } });
            return {};
          case "none":
            return {};
        }
      },
    }),
    tell_once: defineAction({
      description: "Fails with its secret on its lips, and nobody knows what it did.",
      effect: "once",
      input: z.object({}),
      run: (_input, { secrets: { token } }) => {
        throw new Error(`Lost the connection of ${token}, which is ${JSON.stringify({ token })}.`);
      },
    }),
  }),
});
