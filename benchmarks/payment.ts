/**
 * The data and the tools of every workload, shared by all systems so that each does the same work:
 * an input of about 500 bytes, and tools that return 300 bytes of JSON.
 */
export interface PaymentInput {
  readonly vendorId: string;
  readonly amount: number;
  readonly currency: string;
  readonly invoice: { readonly number: string; readonly issuedOn: string; readonly dueOn: string };
  readonly remittance: string;
  readonly costCentre: string;
}

/** The input of each tool. */
export interface ToolArguments {
  readonly request: PaymentInput;
}

/** The output of each tool: 300 bytes as JSON. */
export interface ToolOutput {
  readonly id: string;
  readonly status: string;
  readonly detail: string;
}

/** A tool of a workload: an async function in the system's process. */
export type Tool = (args: ToolArguments) => Promise<ToolOutput>;

/** The three tools that W1 calls in turn; W2 calls the first before its review and the second after it. */
export interface Tools {
  readonly a: Tool;
  readonly b: Tool;
  readonly c: Tool;
}

/** The branch condition of W1, `amount > 1000`: every input of {@link paymentInput} takes the "large" branch. */
export const LARGE_AMOUNT = 1000;

/** JSON size of every tool output, in bytes. */
export const TOOL_OUTPUT_BYTES = 300;

const REMITTANCE =
  "Settlement of services rendered under the framework agreement, as approved by the budget owner. ".repeat(3);

/** The input of the `n`th run: about 500 bytes as JSON, always different. */
export function paymentInput(n: number): PaymentInput {
  const number = String(n).padStart(9, "0");
  return {
    vendorId: `vendor-${number}`,
    amount: LARGE_AMOUNT + 1 + (n % 1_000_000),
    currency: "EUR",
    invoice: { number: `INV-${number}`, issuedOn: "2026-10-31", dueOn: "2026-11-30" },
    remittance: REMITTANCE,
    costCentre: "4711-operations",
  };
}

/**
 * Returns 300 bytes of JSON. No part that is long enough to be stored once occurs in the output of another tool or run.
 */
export function toolOutput(tool: string, args: ToolArguments): ToolOutput {
  const id = `${tool}-${args.request.vendorId}`;
  const frame = JSON.stringify({ id, status: "accepted", detail: "" }).length;
  return { id, status: "accepted", detail: `${id} accepted; `.repeat(12).slice(0, TOOL_OUTPUT_BYTES - frame) };
}

/** Tools that return at once. */
export const instantTools: Tools = {
  a: async (args) => toolOutput("a", args),
  b: async (args) => toolOutput("b", args),
  c: async (args) => toolOutput("c", args),
};

/** The longest latency that {@link jitterTools} adds to a tool call, in milliseconds. */
export const MAX_JITTER_MS = 20;

/**
 * Tools that return after a random whole number of milliseconds from 0 to {@link MAX_JITTER_MS}, which makes batching
 * harder. The sequence is seeded, so every system gets the same one; `drawnMs` returns the sum of the drawn latencies.
 */
export function jitterTools(seed = 1): Tools & { drawnMs(): number } {
  let state = seed;
  let drawn = 0;
  const next = (): number => {
    // Numerical Recipes' linear congruential generator: its high bits are uniform enough for a latency.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (MAX_JITTER_MS + 1));
  };
  const late = (tool: string) => (args: ToolArguments) => {
    const ms = next();
    drawn += ms;
    return ms === 0
      ? Promise.resolve(toolOutput(tool, args))
      : new Promise<ToolOutput>((resolve) => setTimeout(() => resolve(toolOutput(tool, args)), ms));
  };
  return { a: late("a"), b: late("b"), c: late("c"), drawnMs: () => drawn };
}
