import { LedgerError } from "./ledger-error.ts";

/** Faults to inject into a request. Without any, the ledger works normally. */
export interface Behaviour {
  /** Delay of the work in milliseconds. Requests with the same key wait for its end. */
  readonly delayMs?: number;
  /** Refuse the request with this status, 400 to 599, before the work. */
  readonly status?: number;
  /** Cut the connection before the work. */
  readonly dropBeforeWork?: boolean;
  /** Do the work durably, then cut the connection instead of answering. */
  readonly dropAfterWork?: boolean;
  /** Do the work durably, then kill this process. */
  readonly dieAfterWork?: boolean;
  /** Do the work durably, then wait this long, in milliseconds, before the answer (or the drop, or the death). */
  readonly lateAnswerMs?: number;
}

/** A behaviour for a route, such as `POST /payments` or `GET /vendors/:id`. */
export interface BehaviourRule extends Behaviour {
  readonly route: string;
  /**
   * Number of requests to which the rule applies, before the next queued rule. Without it, the rule stays until
   * replaced.
   */
  readonly times?: number;
}

/** The rules in force. Rules are kept in memory: a restarted ledger works normally. */
export interface Behaviours {
  /** Queues a rule with `times`. A rule without `times` replaces the standing rule of its route. */
  add(rule: BehaviourRule): void;
  /** The behaviour of the next request to `route`. Queued rules take precedence over the standing rule. */
  take(route: string): Behaviour;
  /** The current rules; queued rules show the number of remaining requests. */
  rules(): readonly BehaviourRule[];
  clear(): void;
}

/** Creates an empty set of rules. */
export function createBehaviours(): Behaviours {
  let queue: BehaviourRule[] = [];
  const standing = new Map<string, BehaviourRule>();
  return {
    add(rule) {
      if (rule.times === undefined) standing.set(rule.route, rule);
      else queue.push(rule);
    },
    take(route) {
      const index = queue.findIndex((rule) => rule.route === route);
      const rule = queue[index];
      if (rule?.times === undefined) return standing.get(route) ?? {};
      queue = rule.times > 1 ? queue.with(index, { ...rule, times: rule.times - 1 }) : queue.toSpliced(index, 1);
      return rule;
    },
    rules: () => [...queue, ...standing.values()],
    clear() {
      queue = [];
      standing.clear();
    },
  };
}

const longestWaitMs = 600_000;
const counts = {
  times: [1, 1_000_000],
  delayMs: [0, longestWaitMs],
  lateAnswerMs: [0, longestWaitMs],
  status: [400, 599],
} as const;
const endings = ["status", "dropBeforeWork", "dropAfterWork", "dieAfterWork"] as const;

/**
 * Reads one rule from a parsed body.
 *
 * @throws {LedgerError} `invalid_behaviour`, naming the field.
 */
export function parseBehaviourRule(body: unknown, routes: readonly string[]): BehaviourRule {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("A behaviour must be a JSON object.");
  const { route, ...rest }: Partial<Record<string, unknown>> = { ...body };
  if (typeof route !== "string" || !routes.includes(route))
    throw invalid(`"route" must be one of: ${routes.join(", ")}.`);
  for (const [field, value] of Object.entries(rest)) checkField(field, value);
  const chosen = endings.filter((ending) => rest[ending] !== undefined && rest[ending] !== false);
  if (chosen.length > 1) throw invalid(`A request can end in one way only; the rule asks for ${chosen.join(" and ")}.`);
  return { route, ...rest };
}

function checkField(field: string, value: unknown): void {
  if (Object.hasOwn(counts, field)) {
    const [least, most] = counts[field as keyof typeof counts];
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
    throw invalid(`"${field}" must be a whole number from ${least} to ${most}.`);
  }
  if (!endings.some((ending) => ending === field)) throw invalid(`"${field}" is not a field of a behaviour.`);
  if (typeof value !== "boolean") throw invalid(`"${field}" must be true or false.`);
}

function invalid(message: string): LedgerError {
  return new LedgerError("invalid_behaviour", message);
}
