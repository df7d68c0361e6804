import { ProcedoError } from "@procedo/contract";
import { webhookEventKey, type DeliveryRow } from "../deliveries.ts";
import type { Scope } from "../scope.ts";
import { assertStorableCommit } from "../storable.ts";
import type { CommitResult, RunCommit, RunCreation } from "../runs.ts";
import { settle, settlingOf } from "./memory-budgets.ts";
import { addDelivery, newDelivery } from "./memory-deliveries.ts";
import { addInvocation, assertNewInvocation } from "./add-invocation.ts";
import { emittedBy, fireEmitted } from "./memory-events.ts";
import { claimedFiring, startFiring } from "./memory-firings.ts";
import { placeRun, unreadOf } from "./memory-queue.ts";
import { findRun, idempotencyKeyOf, type MemoryRun, type MemoryState } from "./state.ts";

/** Checks everything before it changes anything: a commit is stored whole or not at all. */
export function commitOne(state: MemoryState, item: RunCommit): CommitResult {
  try {
    assertStorableCommit(item);
    const known = findRun(state, item.scope, item.runId);
    const answer = item.create === undefined ? fence(known, item) : admit(state, known, item, item.create);
    if (answer !== undefined) return answer;
    const deliveries = deliveriesOf(state, item);
    assertNew(state, known, item, deliveries);
    const settling = settlingOf(state, item);
    const emitted = emittedBy(state, item);
    const run = known ?? created(state, item);
    apply(state, run, item, deliveries);
    settle(state, run, settling);
    fireEmitted(state, item.scope, emitted);
    announce(state, run);
    if (item.invocation !== undefined && item.invocation.lease === undefined) {
      state.feed.emit({ type: "invocable", connectionId: item.invocation.connectionId });
    }
    if (deliveries.length > 0) state.feed.emit({ type: "deliverable" });
    return { status: "committed" };
  } catch (error) {
    return { status: "refused", error };
  }
}

function admit(
  state: MemoryState,
  known: MemoryRun | undefined,
  item: RunCommit,
  creation: RunCreation,
): CommitResult | undefined {
  if (known !== undefined) return repeated(known, item);
  const { procedureId, idempotency } = creation;
  const held = idempotency && state.idempotency.get(idempotencyKeyOf(item.scope, procedureId, idempotency.key));
  if (held !== undefined && held.expiresAtMs > state.now()) {
    return { status: "exists", runId: held.run.runId, digest: held.digest };
  }
  if (state.runs.has(item.runId)) return { status: "fenced" };
  const { firing } = creation;
  return firing !== undefined && !mayStart(state, item.scope, firing) ? { status: "fenced" } : undefined;
}

function mayStart(state: MemoryState, scope: Scope, firing: NonNullable<RunCreation["firing"]>): boolean {
  return claimedFiring(state, scope, firing)?.triggerId === firing.triggerId;
}

function fence(known: MemoryRun | undefined, item: RunCommit): CommitResult | undefined {
  if (known === undefined) return { status: "fenced" };
  const taken = known.journal[item.seq - 1];
  if (taken !== undefined) return repeated(known, item);
  const next = item.seq === known.journal.length + 1;
  if (!next || known.place.kind === "ended" || known.epoch !== item.epoch) return { status: "fenced" };
  return endsUnread(known, item) ? { status: "inbox_not_empty" } : undefined;
}

/** A row whose `seq` is taken: the same row repeated by its owner, or a late row of another owner. */
function repeated({ journal, epoch }: MemoryRun, item: RunCommit): CommitResult {
  const same = journal[item.seq - 1]?.hash === item.hash && epoch === item.epoch;
  return { status: same ? "committed" : "fenced" };
}

function endsUnread(run: MemoryRun, { then, consume = [] }: RunCommit): boolean {
  return then.kind === "ended" && unreadOf(run).some(({ effectKey }) => !consume.includes(effectKey));
}

function assertNew(
  state: MemoryState,
  run: MemoryRun | undefined,
  item: RunCommit,
  deliveries: readonly DeliveryRow[],
): void {
  if (item.openReview !== undefined) {
    if (state.reviews.has(item.openReview.reviewId)) {
      throw new ProcedoError("internal", `Review "${item.openReview.reviewId}" exists already.`);
    }
    if (run?.openReview !== undefined && item.closeReview === undefined) {
      throw new ProcedoError("internal", `Run "${item.runId}" has an open review; close it before opening another.`);
    }
  }
  if (item.invocation !== undefined) assertNewInvocation(state, run, item.invocation);
  const ids = new Set<string>();
  for (const { deliveryId, eventId } of deliveries) {
    if (ids.has(deliveryId) || state.deliveries.has(deliveryId)) {
      throw new ProcedoError("internal", `Event "${eventId}" exists already.`);
    }
    ids.add(deliveryId);
  }
}

function created(state: MemoryState, item: RunCommit): MemoryRun {
  const creation = item.create as RunCreation;
  const run: MemoryRun = {
    number: state.nextNumber(),
    scope: item.scope,
    runId: item.runId,
    creation,
    journal: [],
    inbox: new Map(),
    epoch: item.epoch,
    status: "running",
    place: { kind: "parked", wakeAtMs: undefined },
    openReview: undefined,
    stub: undefined,
  };
  state.runs.set(item.runId, run);
  state.open.add(run);
  if (creation.idempotency !== undefined) {
    const { key, digest, expiresAtMs } = creation.idempotency;
    state.idempotency.set(idempotencyKeyOf(item.scope, creation.procedureId, key), { run, digest, expiresAtMs });
  }
  const firing = creation.firing && claimedFiring(state, item.scope, creation.firing);
  if (firing !== undefined) startFiring(state, firing, run);
  return run;
}

function apply(state: MemoryState, run: MemoryRun, item: RunCommit, deliveries: readonly DeliveryRow[]): void {
  run.journal.push({ seq: item.seq, hash: item.hash, body: item.body });
  for (const effectKey of item.consume ?? []) {
    const notification = run.inbox.get(effectKey);
    if (notification !== undefined) notification.consumed = true;
  }
  if (item.closeReview !== undefined && run.openReview !== undefined) {
    run.openReview.status = item.closeReview.status;
    run.openReview.closedAtMs = state.now();
    run.openReview = undefined;
  }
  if (item.openReview !== undefined) {
    const number = state.nextNumber();
    run.openReview = { number, run, review: item.openReview, decisions: [], status: "open", closedAtMs: undefined };
    state.reviews.set(item.openReview.reviewId, run.openReview);
  }
  if (item.invocation !== undefined) addInvocation(state, run, item.invocation);
  for (const row of deliveries) addDelivery(state, item.scope, row, false);
  placeRun(state, run, item.then);
  if (run.place.kind === "ended") state.open.delete(run);
}

function announce(state: MemoryState, { scope, runId, place }: MemoryRun): void {
  if (place.kind === "hot") return;
  state.feed.emit({ type: "settled", runId, scope });
  if (place.kind === "parked" && place.wakeAtMs !== undefined && place.wakeAtMs <= state.now()) {
    state.feed.emit({ type: "claimable" });
  }
}

function deliveriesOf(state: MemoryState, item: RunCommit): readonly DeliveryRow[] {
  return (item.events ?? []).flatMap((event) => {
    const key = webhookEventKey(item.scope, event.event);
    return [...state.records.values()]
      .filter((record) => record.kind === "webhook" && record.keys.includes(key))
      .map(({ id: webhookId }) => newDelivery(event, webhookId, item.runId, state.now()));
  });
}
