import type {
  ReviewClosed,
  ReviewOpened,
  Entry,
  Intent,
  Outcome,
  Prompted,
  NodeFailed,
  Replied,
  ReviewKind,
  Started,
} from "@procedo/procedure";
import { jsonDifferences } from "../json/json-differences.ts";
import { callPath, createEntryPaths, turnPath, visitPath } from "./entry-path.ts";

/** A recorded call with the outcomes of its attempts. */
export interface RecordedCall {
  /** The intent of its first attempt. */
  readonly intent: Intent;
  /** In the order in which they became known. An attempt of unknown outcome may have a second, late outcome. */
  readonly outcomes: Outcome[];
}

export interface RecordedReview {
  readonly opened: ReviewOpened;
  /** `undefined` if the review was still open. */
  readonly closed: ReviewClosed | undefined;
}

interface Visit {
  readonly nodeId: string;
  readonly visit: number;
}

/**
 * The outside's answers to a past run: the results of its calls, the replies of its model, the decisions of people.
 * Each answer is found by the place of its request in the run. The `take…` methods return an answer once.
 */
export class RecordedRun {
  readonly started: Started;
  /** The entries that matter for a replay, without those about changes of the run's owner. */
  readonly entries: readonly Entry[];
  readonly #calls = new Map<string, RecordedCall>();
  readonly #sameCalls = new Map<string, string>();
  readonly #replies = new Map<string, Replied>();
  readonly #prompts = new Map<string, Prompted>();
  readonly #reviews = new Map<string, RecordedReview[]>();
  readonly #nodeFailed = new Map<string, NodeFailed>();
  readonly #afterReply = new Map<string, Entry>();
  readonly #external = new Map<string, Entry[]>();
  readonly #times = new Map<string, number>();

  /** @throws Error if the entries are not those of a run */
  constructor(entries: readonly Entry[]) {
    const [started] = entries;
    if (started?.type !== "started") throw new Error("The run's journal does not begin with its start.");
    this.started = started;
    this.entries = entries.filter((entry, index) => entry.type !== "superseded" && !isOwnersOnly(entries, index));
    this.#read();
  }

  get hasEnded(): boolean {
    return this.entries.at(-1)?.type === "ended";
  }

  /**
   * The recorded call that corresponds to this one: the call at the same place, else an unused call of the same action
   * with equal arguments, for example after a node was renamed.
   */
  callFor(intent: Intent): RecordedCall | undefined {
    const place = callPath(intent);
    const taken = new Set(this.#sameCalls.values());
    const found = this.#sameCalls.get(place) ?? (taken.has(place) ? undefined : place);
    const own = found === undefined ? undefined : this.#calls.get(found);
    if (own !== undefined) return own;
    const { connection, action, args } = intent.frozen;
    for (const [otherPlace, call] of this.#calls) {
      const { frozen } = call.intent;
      if (frozen.connection !== connection || frozen.action !== action || taken.has(otherPlace)) continue;
      if (call.outcomes.length === 0 || jsonDifferences(frozen.args, args).length > 0) continue;
      this.#sameCalls.set(place, otherPlace);
      return call;
    }
    return undefined;
  }

  /**
   * Takes the outcome of an attempt, or its late outcome when called again. A late success of an earlier attempt is the
   * outcome of the whole call.
   */
  takeOutcome(call: RecordedCall, attempt: number): Outcome | undefined {
    const own = call.outcomes.findIndex((outcome) => outcome.attempt === attempt);
    const at = own === -1 ? call.outcomes.findIndex((outcome) => settlesLater(outcome, attempt)) : own;
    return at === -1 ? undefined : call.outcomes.splice(at, 1)[0];
  }

  /** Takes the late outcome of an attempt, if it is the next outcome of the call. */
  takeLateOutcome(call: RecordedCall, attempt: number): Outcome | undefined {
    const [first] = call.outcomes;
    if (first === undefined || (first.attempt !== attempt && !settlesLater(first, attempt))) return undefined;
    return call.outcomes.shift();
  }

  reply(place: Visit & { readonly turn: number; readonly attempt: number }): Replied | undefined {
    return this.#replies.get(`${turnPath(place)}/${place.attempt}`);
  }

  prompt(place: Visit & { readonly turn: number }): Prompted | undefined {
    return this.#prompts.get(turnPath(place));
  }

  /** The entry that followed from a reply. */
  afterReply(place: Visit & { readonly turn: number }): Entry | undefined {
    return this.#afterReply.get(turnPath(place));
  }

  /** Takes the next review of this kind in a visit. */
  takeReview(visit: Visit, kind: ReviewKind): RecordedReview | undefined {
    return this.#reviews.get(`${visitPath(visit)}/${kind}`)?.shift();
  }

  /** Whether there is another review of this kind in a visit. */
  hasReview(visit: Visit, kind: ReviewKind): boolean {
    return (this.#reviews.get(`${visitPath(visit)}/${kind}`)?.length ?? 0) > 0;
  }

  nodeFailed(visit: Visit): NodeFailed | undefined {
    return this.#nodeFailed.get(visitPath(visit));
  }

  /**
   * Takes the entries that came from outside after the entry at that place: a cancellation, the loss of a worker while
   * it asked a model, or a limit that a backtest does not count.
   */
  takeExternal(place: string): readonly Entry[] {
    const entries = this.#external.get(place) ?? [];
    this.#external.delete(place);
    return entries;
  }

  /** The time at which the entry of that place was written. */
  timeAt(place: string): number | undefined {
    return this.#times.get(place);
  }

  #read(): void {
    const pathOf = createEntryPaths();
    const openedReviews = new Map<string, { readonly list: RecordedReview[]; readonly at: number }>();
    let last = "started";
    let reply: Replied | undefined;
    for (const entry of this.entries) {
      const place = pathOf(entry);
      if (isFromOutside(entry)) {
        this.#external.set(last, [...(this.#external.get(last) ?? []), entry]);
        continue;
      }
      if (reply !== undefined) this.#afterReply.set(turnPath(reply), entry);
      reply = entry.type === "replied" && entry.result.status === "ok" ? entry : undefined;
      last = place;
      if (!this.#times.has(place)) this.#times.set(place, entry.atMs);
      switch (entry.type) {
        case "intent": {
          const at = callPath(entry);
          if (!this.#calls.has(at)) this.#calls.set(at, { intent: entry, outcomes: [] });
          break;
        }
        case "outcome":
          this.#calls.get(callPath(entry))?.outcomes.push(entry);
          break;
        case "prompted":
          this.#prompts.set(turnPath(entry), entry);
          break;
        case "replied":
          this.#replies.set(`${turnPath(entry)}/${entry.attempt}`, entry);
          break;
        case "node_failed":
          this.#nodeFailed.set(visitPath(entry), entry);
          break;
        case "review_opened": {
          const key = `${visitPath(entry)}/${entry.review.kind}`;
          const list = this.#reviews.get(key) ?? [];
          this.#reviews.set(key, list);
          openedReviews.set(entry.review.reviewId, { list, at: list.length });
          list.push({ opened: entry, closed: undefined });
          break;
        }
        case "review_closed": {
          const review = openedReviews.get(entry.reviewId);
          const open = review?.list[review.at];
          if (review !== undefined && open !== undefined) review.list[review.at] = { ...open, closed: entry };
          break;
        }
        default:
          break;
      }
    }
  }
}

function settlesLater({ attempt, late, result }: Outcome, latest: number): boolean {
  return late === true && attempt < latest && result.status === "ok";
}

/** The error of the limit on a run's bytes, which counts stored rows; a backtest writes none. */
const bytesLimit = /^The run reached its limit of \d+ bytes for all steps together\.$/;

/** Whether an entry is a recovery during which no model was being asked: it affects no decision. */
function isOwnersOnly(entries: readonly Entry[], index: number): boolean {
  if (entries[index]?.type !== "recovered") return false;
  const before = entries.slice(0, index).findLast(({ type }) => type !== "recovered" && type !== "superseded");
  return before?.type !== "prompted" && (before?.type !== "replied" || before.retryAtMs === undefined);
}

function isFromOutside(entry: Entry): boolean {
  if (entry.type === "cancel_requested" || entry.type === "recovered") return true;
  return entry.type === "ended" && entry.result.status === "failed" && bytesLimit.test(entry.result.error);
}
