/** Statuses that say: not now. Beside them, every 5xx does. */
const passing = new Set([408, 409, 425, 429]);

/** OpenAI answers 429 also when an account has nothing left, which no waiting changes. */
const outOfCredit = "insufficient_quota";

/** What is known of an answer that is no reply. */
export interface Refusal {
  readonly status: number;
  /** The provider's own word for the error. */
  readonly code: string | undefined;
  /** The provider's package says that a repeat may help. */
  readonly marked?: boolean;
}

/** Whether the same request may be answered later. Pure. */
export function isWorthRetrying({ status, code, marked = false }: Refusal): boolean {
  return code !== outOfCredit && (marked || passing.has(status) || status >= 500);
}

/** Statuses of gateways that did not wait any longer (524 is Cloudflare's): the model behind them may have answered. */
const notAwaited = new Set([504, 524]);

/** Whether tokens may have been used for an answer with such a status: one in place of a reply is a refusal otherwise. Pure. */
export function mayHaveWorked(status: number): boolean {
  return notAwaited.has(status) || (status >= 200 && status < 300);
}

/** The status that a provider's own word for an error stands for, where a stream gives no other. Pure. */
export function statusOfCode(code: string | undefined): number | undefined {
  if (code === undefined) return undefined;
  if (code === outOfCredit || code.includes("rate_limit")) return 429;
  if (code.includes("authentication") || code.includes("api_key")) return 401;
  if (code.includes("permission")) return 403;
  if (code.includes("not_found")) return 404;
  return code.includes("invalid") || code.includes("context_length") ? 400 : undefined;
}

/** What to do about a status; a sentence. Pure. */
export function adviceFor({ status, code }: Refusal): string {
  if (code === outOfCredit || status === 402) return "Its account has no credit left: add some.";
  if (status >= 200 && status < 300) return "Check that the model's address is that of its API.";
  if (status >= 300 && status < 400) return "Redirects are not followed: set the address that it redirects to.";
  switch (status) {
    case 401:
      return "Check the key that the model is configured with.";
    case 403:
      return "Check that the key may use this model.";
    case 404:
      return "Check the model's name and address.";
    case 400:
    case 422:
      return "Check that the model can call tools and that what the node puts to it is not too long for it.";
    case 413:
      return "What the node puts to the model is too long for it: shorten the run's data that it sees.";
    case 429:
      return "Its rate limit is reached.";
    default:
      return isWorthRetrying({ status, code }) ? "The service cannot answer at the moment." : "It refused the request.";
  }
}
