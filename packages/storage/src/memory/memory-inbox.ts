import type { InboxStore, Post, PostResult } from "../inbox.ts";
import { assertStorable } from "../storable.ts";
import { unreadOf, wake } from "./memory-queue.ts";
import type { MemoryState } from "./state.ts";
import { findRun } from "./state.ts";

export function memoryInbox(state: MemoryState): InboxStore {
  return {
    async post(items) {
      assertStorable(items);
      return items.map((item) => postOne(state, item));
    },

    async read({ scope, runId }) {
      const run = findRun(state, scope, runId);
      return run === undefined ? [] : unreadOf(run);
    },
  };
}

export function postOne(state: MemoryState, item: Post): PostResult {
  const run = findRun(state, item.scope, item.runId);
  if (run === undefined) return { status: "unknown_run" };
  const { effectKey, body } = item;
  const winner = run.inbox.get(effectKey);
  if (winner !== undefined) return { status: "superseded", winner: { effectKey, body: winner.body } };
  if (run.place.kind === "ended") return { status: "ended" };

  run.inbox.set(effectKey, { body, consumed: false });
  if (item.closeReview !== undefined && run.openReview?.review.effectKey === effectKey) {
    run.openReview.status = item.closeReview;
    run.openReview.closedAtMs = state.now();
    run.openReview = undefined;
  }
  return { status: "accepted", claimed: wake(state, run, item.claimFor) };
}
