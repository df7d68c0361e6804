import { ProcedoError } from "@procedo/contract";
import { ActionError, defineIntegration, type Integration } from "@procedo/engine";
import * as z from "zod";
import { escapedForms } from "./escaped-forms.ts";

/** The ways in which an integration may leak its secret; each is a mistake that occurs in practice. */
export const leaks = ["output", "escaped", "cut", "refusal", "crash", "unreachable", "address", "none"] as const;

export type Leak = (typeof leaks)[number];

/** An integration that leaks its secret in every text. */
export const leakyIntegration: Integration = defineIntegration({
  name: "leaky",
  settings: z.object({ baseUrl: z.url() }),
  secrets: z.object({ token: z.string() }),
  inbound: {
    events: [{ type: "told", title: "The service told something", sample: { id: "1" } }],
    verify: ({ header, secrets: { token } }) => header("x-leaky-token").includes(base64(token)),
    parse: ({ json, secrets: { token } }) => {
      const { id, how } = z.object({ id: z.string(), how: z.string() }).parse(json());
      if (how === "crash") throw new Error(`Cannot read ${token} of ${Buffer.from(token).toString("hex")}.`);
      if (how === "refusal") throw new ProcedoError("invalid_input", `Refused the token ${token}.`);
      return [{ id, type: "told", occurredAtMs: undefined, event: { id, plain: token, encoded: base64(token) } }];
    },
  },
  actions: ({ defineAction }) => ({
    tell: defineAction({
      description: "Returns its secret in a form that the caller chooses.",
      effect: "read",
      input: z.object({ how: z.enum(leaks) }),
      run: async ({ how }, { fetch, settings, secrets: { token } }) => {
        switch (how) {
          case "output":
            return {
              plain: token,
              encoded: base64(`user:${token}`),
              [token]: [`key ${token}`],
            };
          case "escaped":
            return { forms: [...escapedForms(token).values()], inBase64: [...escapedForms(base64(token)).values()] };
          case "cut":
            throw new Error(cutForms(token));
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
      description: "Fails with an unknown outcome, with its secret in the message.",
      effect: "once",
      input: z.object({}),
      run: (_input, { secrets: { token } }) => {
        throw new Error(`Lost the connection of ${token}, which is ${JSON.stringify({ token })}.`);
      },
    }),
  }),
});

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** The record keeps 2,000 characters of a message. */
const keptCharacters = 2_000;
let cuts = 0;

/** A message whose record would end within an encoding of the secret; encoding and place vary. */
function cutForms(token: string): string {
  const forms = [...escapedForms(token).values()];
  const form = forms[cuts % forms.length] ?? token;
  const within = 1 + ((cuts * 7) % form.length);
  cuts += 1;
  return `${"m".repeat(keptCharacters - within)}${form} was refused.`;
}
