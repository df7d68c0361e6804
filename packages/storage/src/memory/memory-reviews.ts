import { normalName } from "@procedo/contract";
import { decidedBody } from "../decided-body.ts";
import { reviewCursorQuery } from "../list-queries.ts";
import { tallyReviews } from "../review-tally.ts";
import type { DecideResult, NewDecision, ReviewRow, ReviewStatus, ReviewStore, ShownReview } from "../reviews.ts";
import { assertStorable } from "../storable.ts";
import { commitOne } from "./memory-commit.ts";
import { wake } from "./memory-queue.ts";
import { pageBySearch } from "./memory-search.ts";
import { pageByTime } from "./page.ts";
import type { MemoryReview, MemoryState } from "./state.ts";
import { findRun, keyOf, sameScope } from "./state.ts";

export function memoryReviews(state: MemoryState): ReviewStore {
  return {
    async get({ scope, reviewId }) {
      const stored = state.reviews.get(reviewId);
      return stored !== undefined && sameScope(stored.run.scope, scope) ? shownOf(stored) : undefined;
    },

    async open({ scope, runId }) {
      const stored = findRun(state, scope, runId)?.openReview;
      return stored === undefined ? undefined : shownOf(stored);
    },

    async openOf({ scope, runIds }) {
      return runIds.flatMap((runId) => {
        const review = findRun(state, scope, runId)?.openReview?.review;
        if (review === undefined) return [];
        const { reviewId, nodeId, kind, title, openedAtMs } = review;
        return [{ runId, reviewId, nodeId, kind, title, openedAtMs }];
      });
    },

    async ofRun({ scope, runId }) {
      const run = findRun(state, scope, runId);
      const stored = [...state.reviews.values()].filter((review) => review.run === run);
      return stored.sort((a, b) => a.review.openedAtMs - b.review.openedAtMs || a.number - b.number).map(rowOf);
    },

    async list(request) {
      const { scope, status, procedureId, kind, closedFromMs, order, search } = request;
      const byExpiry = order === "expires" && search === undefined;
      const rows = [...state.reviews.values()].filter(
        (review) =>
          sameScope(review.run.scope, scope) &&
          (status === undefined || review.status === status) &&
          (procedureId === undefined || review.run.creation.procedureId === procedureId) &&
          (kind === undefined || review.review.kind === kind) &&
          (closedFromMs === undefined || (review.closedAtMs ?? -Infinity) >= closedFromMs) &&
          (!byExpiry || review.status === "open"),
      );
      const query = reviewCursorQuery(request);
      if (search !== undefined) {
        return pageBySearch(rows, {
          ...{ ...request, search, query },
          idsOf: ({ run, review }) => [run.runId, review.reviewId],
          referenceOf: ({ run }) => run.creation.reference,
          positionOf: ({ review, number }) => [review.openedAtMs, number],
          itemOf: rowOf,
        });
      }
      return pageByTime(rows, {
        ...request,
        query,
        newestFirst: closedFromMs !== undefined,
        shape: ["number", "number", "number"],
        positionOf: ({ review, number }) => [
          byExpiry ? (review.expiresAtMs ?? Number.MAX_SAFE_INTEGER) : 0,
          review.openedAtMs,
          number,
        ],
        itemOf: rowOf,
      });
    },

    async tally({ scope, expiresBeforeMs }) {
      const open = [...state.reviews.values()].filter(
        ({ run, status }) => sameScope(run.scope, scope) && status === "open",
      );
      return tallyReviews(
        open.map(({ run, review: { kind, expiresAtMs = Infinity } }) => {
          const expiring = expiresAtMs < expiresBeforeMs ? 1 : 0;
          return { procedureId: run.creation.procedureId, kind, open: 1, expiring };
        }),
      );
    },

    async decide(decision) {
      // The decision is stored even when the row cannot be.
      assertStorable({ ...decision, next: undefined });
      return decide(state, decision);
    },
  };
}

function decide(state: MemoryState, decision: NewDecision): DecideResult {
  const { scope, runId, person, body } = decision;
  const key = keyOf(scope.workspace, scope.environment, decision.idempotencyKey);
  const first = state.decisionKeys.get(key);
  if (first !== undefined) {
    return first.runId === runId ? { status: "replayed", body: first.body } : { status: "key_reused" };
  }
  const stored = state.reviews.get(decision.reviewId);
  const run = findRun(state, scope, runId);
  if (stored === undefined || stored.run !== run) return { status: "not_open", review: undefined };
  if (stored.status !== "open") return { status: "not_open", review: rowOf(stored) };
  const voter = normalName(person);
  if (stored.decisions.some((earlier) => normalName(earlier.person) === voter)) return { status: "already_voted" };

  const closes = !decision.approved || stored.decisions.length + 1 >= decision.approvalsNeeded;
  const { effectKey } = stored.review;
  if (closes && (run.inbox.has(effectKey) || run.place.kind === "ended")) {
    close(stored, "settled", decision.atMs);
    return { status: "not_open", review: rowOf(stored) };
  }
  stored.decisions.push({ person, body });
  state.decisionKeys.set(key, { runId, body });
  if (!closes) return { status: "recorded", closed: false, claimed: undefined };

  close(stored, decision.approved ? "approved" : "rejected", decision.atMs);
  run.inbox.set(effectKey, { body: decidedBody(bodiesOf(stored)), consumed: false });
  const claimed = wake(state, run, decision.claimFor);
  const continues = decision.next !== undefined && claimed?.inbox.length === 1;
  if (continues && commitOne(state, decision.next).status === "committed") {
    return { status: "recorded", closed: true, claimed: undefined, continued: true };
  }
  return { status: "recorded", closed: true, claimed };
}

function close(stored: MemoryReview, status: ReviewStatus, atMs: number): void {
  stored.status = status;
  stored.closedAtMs = atMs;
  stored.run.openReview = undefined;
}

function shownOf(stored: MemoryReview): ShownReview {
  return { ...rowOf(stored), shown: stored.review.shown };
}

function rowOf(stored: MemoryReview): ReviewRow {
  const { run, status, closedAtMs } = stored;
  const { shown: _shown, ...review } = stored.review;
  const { scope, runId, creation } = run;
  return {
    ...review,
    scope,
    runId,
    procedureId: creation.procedureId,
    procedureVersion: creation.procedureVersion,
    startedBy: creation.startedBy,
    reference: creation.reference,
    status,
    closedAtMs,
    decisions: bodiesOf(stored),
  };
}

function bodiesOf(stored: MemoryReview): readonly string[] {
  return stored.decisions.map(({ body }) => body);
}
