/*
 * Questions to people, and their decisions.
 *
 *   open-review.ts         the entry that opens a review; ask-about-answer.ts: about an agent's unsure answer.
 *                          Reviews of calls are opened in `calls/`
 *   review-row.ts          a review in storage; digests.ts: the digests of its content and of a call
 *   reviews.ts             lists and shows reviews
 *   decide.ts              records a decision; check-outputs.ts: its outputs against their schema
 *   decision-rights.ts     whether a person may decide now, for lists (pure)
 *   search-text.ts         the text for which lists of reviews and of runs search
 *   earlier-approvals.ts   the people who approved earlier in the run, for `excludeApproversOf`
 */
import { ProcedoError, type Environment } from "@procedo/contract";
import type { DecisionFact, Entry, OpenReview, ReviewedCall, ReviewRules } from "@procedo/procedure";
import type { Page, PageRequest, ReviewRow, ReviewStatus, Scope, ShownReview, Storage } from "@procedo/storage";
import type { Principal } from "../access/principal.ts";
import type { OutsideOptions } from "../egress/outside.ts";
import { visitRows, type JournalPorts } from "../journal/read-journal.ts";
import { createRowReader } from "../journal/row-codec.ts";
import { shortJournalBytes, type ShownText } from "../journal/short-journal.ts";
import type { LargeReads } from "../journal/large-reads.ts";
import { decisionFact, type DecisionBody } from "../inbox/notification.ts";
import { decide, type Decided, type DecidePorts, type DecideRequest } from "./decide.ts";
import { mayDecideNow, type MayDecide } from "./decision-rights.ts";
import { reviewDigest } from "./digests.ts";
import { approvalsOf } from "./earlier-approvals.ts";
import { searchText } from "./search-text.ts";
import type { ListedCall, ReviewRowBody } from "./review-row.ts";

/** A review as lists show it. */
export interface ReviewSummary {
  /** Identifier of the review. */
  readonly reviewId: string;
  /** The reason for the review. */
  readonly kind: OpenReview["kind"];
  /** The question to the reviewers. */
  readonly title: string;
  /** SHA-256 over the content that reviewers see; pass it to `decide` as `reviewDigest`. */
  readonly digest: string;
  /** The people who may decide, the number of approvals required, and the deadline. */
  readonly rules: ReviewRules;
  /** The environment of the run. */
  readonly environment: Environment;
  /** The run that waits for the decision. */
  readonly runId: string;
  /** The procedure that the run executes. */
  readonly procedureId: string;
  /** The version that the run executes. */
  readonly procedureVersion: string;
  /** The person who started the run. */
  readonly startedBy: string;
  /** The reference of the run, such as an invoice number; `undefined` if it has none. */
  readonly reference: string | undefined;
  /** The names of the call that an approval sends, and its effect. Absent if an approval sends no call. */
  readonly call?: ListedCall;
  /** The node that opened the review. */
  readonly nodeId: string;
  /** `open`, or how the review was closed. */
  readonly status: ReviewStatus;
  /** Time of its opening, in milliseconds since the epoch. */
  readonly openedAtMs: number;
  /** Time of its closing, in milliseconds since the epoch; `undefined` while it is open. */
  readonly closedAtMs: number | undefined;
  /** The decisions so far. */
  readonly decisions: readonly DecisionFact[];
}

/** A review as a reviewer sees it: with its exact content, and the call that an approval sends. */
export interface Review extends ReviewSummary, Pick<OpenReview, "data"> {
  /** The call that an approval sends. Absent if an approval sends no call. */
  readonly call?: ReviewedCall;
}

/** The HTTP request behind the call of a documented action. */
export interface CallOperation {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The path template below the base URL: `/payments/{id}`. */
  readonly path: string;
  /** The base URL of the connection; `undefined` while a change of it is not confirmed. */
  readonly baseUrl?: string | undefined;
}

/** A review with the request that its call sends. */
export interface ReviewDetails extends Review {
  /**
   * The request that an approval sends, if `call` is a call of a documented action that can still be made: the revision
   * of the action covers its method, path and base URL.
   */
  readonly operation: CallOperation | undefined;
}

/** The reviews of runs, and people's decisions on them. */
export interface Reviews {
  /** Records a decision. See {@link decide} for the errors. */
  decide(request: DecideRequest): Promise<Decided>;
  /** A review with the content that its reviewers see. @throws ProcedoError `review_not_found` */
  get(
    request: { readonly environment: Environment; readonly reviewId: string },
    options?: LargeReads & OutsideOptions,
  ): Promise<ReviewDetails>;
  /** The review that a run waits for; `undefined` if it waits for none. */
  open(
    run: { readonly environment: Environment; readonly runId: string },
    options?: LargeReads,
  ): Promise<Review | undefined>;
  /** All reviews of a run, oldest first. */
  ofRun(request: { readonly environment: Environment; readonly runId: string }): Promise<readonly Review[]>;
  /**
   * Lists reviews. The outputs of decisions are left out. A page examines a bounded number of reviews: with filters, it
   * may be short or even empty although it has a `nextCursor`.
   *
   * @throws ProcedoError `invalid_cursor`; `invalid_input` for `search` together with `order`
   */
  list(
    query: {
      readonly environment: Environment;
      readonly status?: ReviewStatus;
      readonly procedureId?: string;
      /** Only reviews with this reason. @defaultValue any reason */
      readonly kind?: OpenReview["kind"];
      /** Only reviews that were closed at this time or later; those that were opened last come first. */
      readonly closedFromMs?: number;
      /**
       * Only the review with exactly this id, the reviews of the run with exactly this id, and reviews of runs whose
       * reference begins with this text; upper and lower case differ. Those found by an id come first; the others are
       * sorted by reference, the last one first. Not with `order`. @defaultValue any review
       */
      readonly search?: string;
      /** Oldest first, or open reviews by the time of their expiry. @defaultValue `requested` */
      readonly order?: "requested" | "expires";
      /** Only reviews that this person may decide now. @defaultValue all reviews */
      readonly decidableBy?: Principal;
    } & PageRequest,
  ): Promise<Page<ReviewSummary>>;
  /**
   * Whether `decide` would accept a decision of this person on the review now.
   *
   * @param request.review as `get` or `list` returned it
   * @throws ProcedoError `unauthorized` when the key or session was deleted meanwhile
   */
  mayDecide(request: { readonly review: ReviewSummary; readonly by: Principal }): Promise<MayDecide>;
}

/** A review with more characters of content than this counts as a large read. */
const largeLength = 64 * 1024;

/** Reviews that are read at a time: each of their decisions may have outputs of 256 KiB, which a list does not show. */
const reviewsAtOnce = 10;

/** Reviews that a page examines, whether or not the person may decide them. */
export const maxExaminedReviews = 200;

export interface ReviewPorts extends DecidePorts, JournalPorts {
  readonly storage: Pick<Storage, "reviews" | "runs">;
  /** The request that a call sends; `undefined` if the call cannot be made, or sends no request of a document. */
  readonly operationOf: (
    environment: Environment,
    call: ReviewedCall,
    options?: OutsideOptions,
  ) => Promise<CallOperation | undefined>;
}

export function createReviews(ports: ReviewPorts): Reviews {
  const { storage, workspace } = ports;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });

  return {
    decide: (request) => decide(ports, request),
    get: async ({ environment, reviewId }, { outside, ...reads } = {}) => {
      const row = await storage.reviews.get({ scope: scopeOf(environment), reviewId });
      if (row === undefined) {
        throw new ProcedoError("review_not_found", `There is no review "${reviewId}" in ${environment}.`);
      }
      const review = await shownReview(ports, row, reads);
      const { call } = review;
      const operation = call && (await ports.operationOf(environment, call, outside === undefined ? {} : { outside }));
      return { ...review, operation };
    },
    open: async ({ environment, runId }, options) => {
      const find = () => storage.reviews.open({ scope: scopeOf(environment), runId });
      let row = await find();
      if (row?.shown !== undefined && row.shown.length > largeLength && options?.beforeLargeRead !== undefined) {
        // A large row is not kept in memory while its caller waits for admission; it is read again afterwards.
        row = undefined;
        await options.beforeLargeRead();
        row = await find();
      }
      return row === undefined ? undefined : await shownReview(ports, row, options);
    },
    ofRun: async ({ environment, runId }) => {
      const scope = scopeOf(environment);
      const rows = await storage.reviews.ofRun({ scope, runId });
      if (rows.length === 0) return [];
      const opened = new Map<string, OpenReview>();
      await visitRows(ports, { scope, runId }, (_row, entries) => noteOpened(opened, entries));
      return rows.map((row) => reviewOf(row, opened.get(row.reviewId)));
    },
    list: async ({ environment, limit, decidableBy, search, ...filter }) => {
      if (search !== undefined && filter.order !== undefined) {
        throw new ProcedoError(
          "invalid_input",
          "The results of a search have an order of their own. Leave out `order`.",
        );
      }
      const query = { ...filter, ...(search !== undefined && { search: searchText(search) }) };
      const items: ReviewSummary[] = [];
      let { cursor } = query;
      let examined = 0;
      for (;;) {
        const portion = Math.min(limit - items.length, reviewsAtOnce);
        const at = cursor === undefined ? {} : { cursor };
        const page = await storage.reviews.list({ scope: scopeOf(environment), ...query, ...at, limit: portion });
        for (const row of page.items) {
          const review = listed(row);
          if (decidableBy === undefined || (await mayDecide({ review, by: decidableBy })).allowed) items.push(review);
        }
        cursor = page.nextCursor;
        examined += portion;
        // A short page ends where storage has examined many reviews.
        const isEnd = items.length >= limit || examined >= maxExaminedReviews || page.items.length < portion;
        if (cursor === undefined || isEnd) return { items, nextCursor: cursor };
        await ports.slices.next();
      }
    },
    mayDecide,
  };

  async function mayDecide({ review, by }: Parameters<Reviews["mayDecide"]>[0]): Promise<MayDecide> {
    const right = mayDecideNow(review, by, [], ports.clock.now());
    const { environment, runId, rules } = review;
    if (!right.allowed || rules.excludesApproversOf === undefined) return right;
    const approvals = approvalsOf(await storage.reviews.ofRun({ scope: scopeOf(environment), runId }));
    await ports.slices.next();
    return mayDecideNow(review, by, approvals, ports.clock.now());
  }
}

/**
 * A review with its content, which is in its row or in the first rows of the run's journal. The whole journal is read
 * only if the content is in neither.
 */
async function shownReview(
  ports: JournalPorts,
  row: ShownReview,
  { beforeLargeRead = async () => {} }: LargeReads = {},
): Promise<Review> {
  if (row.shown !== undefined) {
    const shown = JSON.parse(row.shown) as ShownText;
    const { kind, title, digest, reviewId } = row;
    // A decision names the digest, so that only the content with this digest may be shown.
    if (reviewDigest({ kind: kind as OpenReview["kind"], title, data: shown.data, call: shown.call }) === digest) {
      return reviewOf(row, shown);
    }
    const message = `The stored content of review "${reviewId}" does not match its digest. Compare its run with a backup.`;
    throw new ProcedoError("journal_corrupted", message);
  }
  const opened = new Map<string, OpenReview>();
  const { scope, runId } = row;
  const reader = createRowReader(runId);
  for (const { seq, body } of await ports.storage.runs.journal({ scope, runId, maxBytes: shortJournalBytes })) {
    noteOpened(opened, reader.decode(seq, body));
  }
  if (!opened.has(row.reviewId)) {
    await beforeLargeRead();
    await visitRows(ports, { scope, runId }, (_row, entries) => noteOpened(opened, entries));
  }
  return reviewOf(row, opened.get(row.reviewId));
}

function noteOpened(opened: Map<string, OpenReview>, entries: readonly Entry[]): void {
  for (const entry of entries) if (entry.type === "review_opened") opened.set(entry.review.reviewId, entry.review);
}

function reviewOf(row: ReviewRow, shown: ShownText | undefined): Review {
  const { data = {}, call } = shown ?? {};
  const { call: _listed, ...summary } = summaryOf(row);
  return { ...summary, data, ...(call === undefined ? {} : { call }) };
}

function listed(row: ReviewRow): ReviewSummary {
  const summary = summaryOf(row);
  return { ...summary, decisions: summary.decisions.map(({ outputs: _outputs, ...decision }) => decision) };
}

function summaryOf(row: ReviewRow): ReviewSummary {
  const { scope, reviewId, kind, title, digest, runId, nodeId, status, openedAtMs, closedAtMs } = row;
  const { procedureId, procedureVersion, startedBy, reference } = row;
  const { rules, call } = JSON.parse(row.body) as ReviewRowBody;
  return {
    reviewId,
    kind: kind as OpenReview["kind"],
    title,
    digest,
    rules,
    environment: scope.environment,
    runId,
    procedureId,
    procedureVersion,
    startedBy,
    reference,
    ...(call !== undefined && { call }),
    nodeId,
    status,
    openedAtMs,
    closedAtMs,
    decisions: row.decisions.map((text) => decisionFact(JSON.parse(text) as DecisionBody)),
  };
}
