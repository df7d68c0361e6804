/* Runs of a payment procedure as in production, recorded in a test environment. */
import { defineProcedure, z, type BacktestReport, type BacktestRequest } from "@procedo/engine";
import {
  createTestEnvironment,
  losesAnswer,
  once,
  reads,
  refuses,
  scriptedModel,
  type ScriptedAnswer,
  type TestEnvironment,
} from "@procedo/engine/testing";

/** Pays, opens a review above 1000, refuses odd amounts, and lets an agent describe the payment. */
export const payment = defineProcedure({
  procedureId: "payment",
  name: "Payment",
  input: z.object({ vendor: z.string(), amount: z.int() }),
  nodes: {
    start: { kind: "start", next: "vendor" },
    vendor: {
      kind: "tool_call",
      connection: "bank",
      action: "vendor",
      arguments: { id: "{{ input.vendor }}" },
      next: "size",
    },
    size: {
      kind: "condition",
      branches: [{ name: "large", when: "input.amount > 1000" }],
      otherwise: "normal",
      next: { large: "approve", normal: "pay" },
    },
    approve: {
      kind: "human_review",
      title: "Pay {{ input.amount }} to {{ nodes.vendor.output.name }}?",
      covers: "pay",
      expiresAfter: "P7D",
      next: "pay",
    },
    pay: {
      kind: "tool_call",
      connection: "bank",
      action: "pay",
      arguments: { to: "{{ input.vendor }}", amount: "{{ input.amount }}" },
      guards: [{ check: "args.amount != 13", otherwise: "review" }],
      emit: { name: "paid", data: { id: "{{ nodes.pay.output.id }}" } },
      next: "book",
      onError: "refused",
      onRejected: "refused",
    },
    book: { kind: "tool_call", connection: "bank", action: "book", instructions: "Book the payment.", next: "done" },
    done: { kind: "end", output: { id: "{{ nodes.pay.output.id }}", account: "{{ nodes.book.output }}" } },
    refused: { kind: "end", output: { reason: "{{ nodes.pay.error }}" } },
  },
});

export type Payment = typeof payment;
/** The procedure with some nodes changed; members that are `undefined` are omitted. */
export function changed(nodes: { readonly [id: string]: object }): Payment {
  const all = payment.nodes.map((node) => ({ ...node, ...nodes[node.id] }));
  return JSON.parse(JSON.stringify({ ...payment, nodes: all })) as Payment;
}

export interface PastRuns {
  readonly environment: TestEnvironment<Payment>;
  /** All calls that have reached an action. */
  readonly called: readonly string[];
  /** The total number of requests to models. */
  readonly asked: () => number;
  backtest(request?: Partial<BacktestRequest>): Promise<BacktestReport>;
  /** The replies of models from now on. */
  say(...answers: readonly ScriptedAnswer[]): void;
}

/**
 * One run each: normal, large and approved, large and rejected, expired, refused, held by a guard, uncertain,
 * cancelled.
 */
export async function pastRuns(): Promise<PastRuns> {
  const called: string[] = [];
  const said: ScriptedAnswer[] = [];
  const model = scriptedModel(({ number }) => {
    return said.shift() ?? (number % 3 === 1 ? { text: "Hm." } : { call: { account: `acc_${number}` } });
  });
  const environment = await createTestEnvironment({
    document: payment,
    models: model,
    actions: {
      bank: {
        vendor: reads((args: { id: string }) => {
          called.push("vendor");
          return { name: `Vendor ${args.id}` };
        }),
        pay: once(({ amount }: { amount: number }) => {
          called.push("pay");
          if (amount === 666) return refuses("Not with us.");
          return amount === 500 ? losesAnswer() : { id: `pay_${amount}` };
        }),
        book: once((args: { account: string }) => {
          called.push("book");
          return args.account;
        }),
      },
    },
  });
  const start = (amount: number) => environment.run({ input: { vendor: "acme", amount } });
  await start(250);
  await (await start(5_000)).approve();
  await (await start(6_000)).reject("Too much.");
  await start(666);
  await (await start(13)).approve();
  await (await start(500)).approve({ outputs: { id: "found" } });
  await (await start(7_000)).cancel("Paid by card.");
  await (await start(8_000)).advance("P8D");
  return {
    environment,
    called,
    asked: () => model.requests.length,
    say: (...answers) => void said.push(...answers),
    backtest: (request = {}) =>
      environment.engine.backtest({ procedureId: "payment", environment: "sandbox", ...request }),
  };
}
