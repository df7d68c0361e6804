import { ActionError, defineAction, defineIntegration, z, type Integration } from "@procedo/engine";

/** A bank that refuses the payee `refused` and those that begin with `refused: `, which it repeats, and answers for the payee `held` once the test says so. */
export interface Bank {
  readonly integration: Integration;
  /** Payments that were made. */
  readonly payments: readonly { readonly payee: string; readonly amount: number }[];
  /** Answers payments to `held`, also later ones. */
  release(): void;
}

export function createBank(): Bank {
  const payments: { readonly payee: string; readonly amount: number }[] = [];
  const released = Promise.withResolvers<void>();
  const lines = new Map<string, number>();
  const pay = defineAction({
    description: "Pays an amount to a payee.",
    effect: "once",
    input: z.object({ payee: z.string(), amount: z.int(), currency: z.string() }),
    output: z.object({ receipt: z.string() }),
    run: async ({ payee, amount }) => {
      if (payee === "refused") throw new ActionError("The account of the payee is closed.");
      if (payee.startsWith("refused: ")) throw new ActionError(payee);
      if (payee === "held") await released.promise;
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
  const book = defineAction({
    description: "Books the next line of a statement.",
    effect: "idempotent",
    input: z.object({ lines: z.int(), isBusy: z.boolean().optional() }),
    output: z.object({ line: z.int(), remaining: z.int() }),
    run: async ({ lines: all, isBusy = false }, { run: { runId } }) => {
      if (isBusy) throw new ActionError("The ledger is busy.", { outcome: "refused", retryable: true });
      const line = (lines.get(runId) ?? 0) + 1;
      lines.set(runId, line);
      return { line, remaining: all - line };
    },
  });
  const integration = defineIntegration({ name: "bank", actions: { pay, look, book } });
  return { payments, integration, release: () => released.resolve() };
}
