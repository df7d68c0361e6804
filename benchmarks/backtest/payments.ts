import { defineIntegration, defineProcedure, z, type CodedIntegration } from "@procedo/engine";
import { scriptedModel, type ScriptedModel } from "@procedo/engine/testing";

/**
 * Looks a vendor up, decides by size, opens a review of large amounts, pays within a day's sum, and lets an agent book
 * it.
 */
export const payments = defineProcedure({
  procedureId: "payments",
  name: "Payments",
  input: z.object({ vendorId: z.string(), amount: z.int() }),
  nodes: {
    start: { kind: "start", next: "vendor" },
    vendor: {
      kind: "tool_call",
      connection: "ledger",
      action: "get_vendor",
      arguments: { id: "{{ input.vendorId }}" },
      next: "size",
    },
    size: {
      kind: "condition",
      branches: [{ name: "large", when: "input.amount > 9000" }],
      otherwise: "normal",
      next: { large: "approve", normal: "pay" },
    },
    approve: {
      kind: "human_review",
      title: "Pay {{ input.amount }} to {{ nodes.vendor.output.name }}?",
      data: { vendor: "{{ nodes.vendor.output }}" },
      covers: "pay",
      next: "pay",
    },
    pay: {
      kind: "tool_call",
      connection: "ledger",
      action: "pay",
      arguments: { vendorId: "{{ input.vendorId }}", amount: "{{ input.amount }}" },
      guards: [{ check: "args.amount > 0", otherwise: "fail" }],
      emit: { name: "paid", data: { id: "{{ nodes.pay.output.id }}" } },
      next: "book",
      onError: "refused",
    },
    book: { kind: "tool_call", connection: "ledger", action: "book", instructions: "Book the payment.", next: "done" },
    done: { kind: "end", output: { paymentId: "{{ nodes.pay.output.id }}", entry: "{{ nodes.book.output.entry }}" } },
    refused: { kind: "end", output: { reason: "{{ nodes.pay.error }}" } },
  },
});

/** The same with reviews from 8000 on. */
export const stricter: typeof payments = {
  ...payments,
  nodes: payments.nodes.map((node) =>
    node.id === "size" && node.kind === "condition"
      ? { ...node, branches: [{ name: "large", when: "input.amount > 8000" }] }
      : node,
  ),
};

/** A ledger in this process that counts its calls. */
export function countingLedger(): { readonly integration: CodedIntegration; readonly calls: () => number } {
  let calls = 0;
  const integration = defineIntegration({
    name: "ledger",
    actions: ({ defineAction }) => ({
      get_vendor: defineAction({
        description: "Looks a vendor up.",
        input: z.object({ id: z.string() }),
        output: z.object({ id: z.string(), name: z.string(), address: z.string() }),
        effect: "read",
        run: ({ id }) => {
          calls += 1;
          return { id, name: `Vendor ${id}`, address: "1 Long Street, 12345 Some City, Some Country".repeat(5) };
        },
      }),
      pay: defineAction({
        description: "Pays.",
        input: z.object({ vendorId: z.string(), amount: z.int() }),
        output: z.object({ id: z.string() }),
        effect: "once",
        run: ({ amount }) => {
          calls += 1;
          return { id: `pay_${amount}` };
        },
      }),
      book: defineAction({
        description: "Books a payment.",
        input: z.object({ account: z.string() }),
        output: z.object({ entry: z.string() }),
        effect: "idempotent",
        run: ({ account }) => {
          calls += 1;
          return { entry: `entry in ${account}` };
        },
      }),
    }),
  });
  return { integration, calls: () => calls };
}

/** Names an account; every tenth reply is preceded by an invalid one. */
export function bookkeeper(): ScriptedModel {
  return scriptedModel(({ number }) => (number % 11 === 0 ? { text: "Let me see." } : { call: { account: "4400" } }));
}
