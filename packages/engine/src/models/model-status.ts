/** Statuses below 500 after which a repeat may help. Every 5xx is such a status too. */
const transientStatuses = new Set([408, 409, 425, 429]);

/** OpenAI's code for an account without credit. Its status is 429, but waiting does not help. */
const outOfCredit = "insufficient_quota";

/** An answer that refuses the request. */
export interface Refusal {
  readonly status: number;
  /** The provider's own error code. */
  readonly code: string | undefined;
  /** Whether the provider's package marks the error as retryable. */
  readonly marked?: boolean;
}

/** Whether the same request may succeed later. Pure. */
export function isWorthRetrying({ status, code, marked = false }: Refusal): boolean {
  return code !== outOfCredit && (marked || transientStatuses.has(status) || status >= 500);
}

/** Timeouts of gateways (524 is Cloudflare's): the model behind them may have answered. */
const notAwaited = new Set([504, 524]);

/** Whether the model may have used tokens for an answer with this status; any other status is a refusal. Pure. */
export function mayHaveWorked(status: number): boolean {
  return notAwaited.has(status) || (status >= 200 && status < 300);
}

/** The status that corresponds to a provider's error code, for streams that report no status. Pure. */
export function statusOfCode(code: string | undefined): number | undefined {
  if (code === undefined) return undefined;
  if (code === outOfCredit || code.includes("rate_limit")) return 429;
  if (code.includes("authentication") || code.includes("api_key")) return 401;
  if (code.includes("permission")) return 403;
  if (code.includes("not_found")) return 404;
  return code.includes("invalid") || code.includes("context_length") ? 400 : undefined;
}

/** Advice for a status, as a sentence. Pure. */
export function adviceFor({ status, code }: Refusal): string {
  if (code === outOfCredit || status === 402) return "Its account has no credit left: add some.";
  if (status >= 200 && status < 300) return "Check that the model's address is that of its API.";
  if (status >= 300 && status < 400) return "Redirects are not followed: set the address that it redirects to.";
  switch (status) {
    case 401:
      return "Check the key in the model's configuration.";
    case 403:
      return "Check that the key may use this model.";
    case 404:
      return "Check the model's name and address.";
    case 400:
    case 422:
      return "Check that the model can call tools and that the node's prompt is not too long for it.";
    case 413:
      return "The node's prompt is too long for the model: shorten the run's data that the model sees.";
    case 429:
      return "Its rate limit is reached.";
    default:
      return isWorthRetrying({ status, code }) ? "The service cannot answer at the moment." : "It refused the request.";
  }
}
