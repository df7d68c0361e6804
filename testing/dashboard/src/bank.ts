import { defineAction, defineIntegration, z, type Integration } from "@procedo/engine";

/** A bank whose next payment the test decides. */
export interface Bank {
  readonly integration: Integration;
  /** Payments that were made. */
  readonly payments: readonly { readonly payee: string; readonly amount: number }[];
}

export function createBank(): Bank {
  const payments: { readonly payee: string; readonly amount: number }[] = [];
  const pay = defineAction({
    description: "Pays an amount to a payee.",
    effect: "once",
    input: z.object({ payee: z.string(), amount: z.int(), currency: z.string() }),
    output: z.object({ receipt: z.string() }),
    run: async ({ payee, amount }) => {
      if (payee === "refused") throw new Error("The account of the payee is closed.");
      payments.push({ payee, amount });
      return { receipt: `receipt-${payments.length}` };
    },
  });
  const look = defineAction({
    description: "Looks a payee up.",
    effect: "read",
    input: z.object({ payee: z.string() }),
    output: z.object({ name: z.string(), country: z.string() }),
    run: async ({ payee }) => ({ name: payee, country: "DE" }),
  });
  return { payments, integration: defineIntegration({ name: "bank", actions: { pay, look } }) };
}
