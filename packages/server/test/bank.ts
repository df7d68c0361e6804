import { appendFileSync } from "node:fs";
import { defineAction, defineIntegration, z } from "@procedo/engine";

/** A bank with a file as its ledger, a vault over HTTP with a secret, and bookkeeping with OAuth. */
export const integrations = [
  defineIntegration({
    name: "bank",
    actions: {
      pay: defineAction({
        description: "Pays, and writes it into the books.",
        effect: "idempotent",
        input: z.object({ sum: z.int() }),
        output: z.object({ receipt: z.string() }),
        run: async ({ sum }, { idempotencyKey }) => {
          const books = process.env["BANK_BOOKS"];
          if (books !== undefined) appendFileSync(books, `${idempotencyKey} ${sum}\n`);
          return { receipt: `Paid ${sum} cents.` };
        },
      }),
    },
  }),
  defineIntegration({
    name: "vault",
    settings: z.object({ url: z.url() }),
    secrets: z.object({ token: z.string() }),
    actions: (vault) => ({
      ask: vault.defineAction({
        description: "Asks the vault.",
        effect: "idempotent",
        input: z.object({ question: z.string() }),
        output: z.object({ answer: z.string() }),
        run: async ({ question }, { fetch, settings, secrets }) => {
          const headers = { authorization: `Bearer ${secrets.token}`, "content-type": "text/plain" };
          const response = await fetch(settings.url, { method: "POST", headers, body: question });
          return { answer: await response.text() };
        },
      }),
    }),
  }),
  defineIntegration({
    name: "books",
    settings: z.object({ server: z.url(), clientId: z.string() }),
    secrets: z.object({ clientSecret: z.string() }),
    oauth: ({ settings: { server, clientId }, secrets }) => ({
      grant: "authorization_code",
      ...{
        authorizationUrl: `${server}/auth`,
        tokenUrl: `${server}/token`,
        revocationUrl: `${server}/token/revocation`,
      },
      ...{ issuer: server, clientId, clientSecret: secrets.clientSecret },
      ...{ scopes: ["accounting", "payments"], origins: [server] },
    }),
    account: async ({ fetch, settings }) => {
      const answer = await fetch(`${settings.server}/account`);
      return z.object({ id: z.string(), name: z.string() }).parse(await answer.json());
    },
    actions: {},
  }),
];

const start = { id: "start", kind: "start" } as const;

/** Pays at once. */
export const payment = {
  schemaVersion: 1,
  procedureId: "payment",
  name: "Payment",
  input: { type: "object", required: ["sum"], properties: { sum: { type: "integer" } } },
  nodes: [
    start,
    { id: "pay", kind: "tool_call", connection: "bank", action: "pay", arguments: { sum: "{{ input.sum }}" } },
    { id: "end", kind: "end", output: { receipt: "{{ nodes.pay.output.receipt }}" } },
  ],
  edges: [
    { from: "start", to: "pay" },
    { from: "pay", to: "end" },
  ],
} as const;

/** Pays after a review. */
export const approval = {
  schemaVersion: 1,
  procedureId: "approval",
  name: "Approved payment",
  input: { type: "object", required: ["sum"], properties: { sum: { type: "integer" } } },
  reference: "Sum {{ input.sum }}",
  nodes: [
    start,
    {
      id: "ask",
      kind: "human_review",
      title: "Pay {{ input.sum }}?",
      data: { sum: "{{ input.sum }}" },
      covers: "pay",
      reviewers: { roles: ["reviewer"] },
      excludeStarter: true,
    },
    { id: "pay", kind: "tool_call", connection: "bank", action: "pay", arguments: { sum: "{{ input.sum }}" } },
    { id: "end", kind: "end", output: { receipt: "{{ nodes.pay.output.receipt }}" } },
  ],
  edges: [
    { from: "start", to: "ask" },
    { from: "ask", to: "pay" },
    { from: "pay", to: "end" },
  ],
} as const;

/** Calls the vault, which answers on the test's command. */
export const inquiry = {
  schemaVersion: 1,
  procedureId: "inquiry",
  name: "Inquiry",
  input: { type: "object", required: ["question"], properties: { question: { type: "string" } } },
  nodes: [
    start,
    {
      id: "ask",
      kind: "tool_call",
      connection: "vault",
      action: "ask",
      arguments: { question: "{{ input.question }}" },
    },
    { id: "end", kind: "end", output: { answer: "{{ nodes.ask.output.answer }}" } },
  ],
  edges: [
    { from: "start", to: "ask" },
    { from: "ask", to: "end" },
  ],
} as const;
