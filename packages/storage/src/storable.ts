import { ProcedoError } from "@procedo/contract";
import { assertSettlements } from "./reservations.ts";
import type { NewEvent } from "./new-event.ts";
import type { RunCommit, RunCreation } from "./runs.ts";

/**
 * Refuses texts that some databases do not return unchanged, at any depth of a request. For adapters. NUL ends a text
 * in Postgres and in older bindings of SQLite. UTF-8 cannot encode lone surrogates: another character would be
 * returned, and the row's hash would no longer match. JSON text contains neither.
 *
 * @throws ProcedoError `invalid_input`
 */
export function assertStorable(value: unknown): void {
  if (typeof value === "string") assertText(value);
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(assertStorable);
}

/**
 * Refuses a commit with a text that cannot be stored. Fast for the usual commit, which is one row. Also refuses a row
 * whose creation does not match its `seq`.
 *
 * @throws ProcedoError `invalid_input`, `internal`
 */
export function assertStorableCommit(item: RunCommit): void {
  assertText(item.body);
  assertText(item.hash);
  if (item.then.kind === "ended") {
    if (item.then.error !== undefined) assertText(item.then.error);
    if (item.then.output !== undefined) assertText(item.then.output);
  }
  if (item.create !== undefined) assertCreation(item, item.create);
  if (item.openReview !== undefined) assertStorable(item.openReview);
  if (item.invocation !== undefined) assertStorable(item.invocation);
  if (item.settle !== undefined) {
    assertStorable(item.settle);
    assertSettlements(item.settle);
  }
  if (item.events !== undefined) item.events.forEach(assertEvent);
  if ((item.seq === 1) !== (item.create !== undefined)) {
    throw new ProcedoError("internal", `Run "${item.runId}": the row with seq 1, and no other, creates the run.`);
  }
}

/**
 * Whether `assertStorableCommit` accepts a commit. Used for the row that follows a decision or a result: these are
 * stored even when the row cannot be.
 */
export function isStorableCommit(item: RunCommit): boolean {
  try {
    assertStorableCommit(item);
    return true;
  } catch {
    return false;
  }
}

/** Lists the fields, since every run has a creation: iterating over all fields takes several times as long. */
function assertCreation({ scope, runId, then }: RunCommit, create: RunCreation): void {
  assertText(scope.workspace);
  assertText(runId);
  assertText(create.procedureId);
  assertText(create.procedureVersion);
  assertText(create.startedBy);
  if (create.reference !== undefined) assertText(create.reference);
  if (create.trigger !== undefined) assertStorable(create.trigger);
  if (create.firing !== undefined) assertStorable(create.firing);
  if (create.idempotency !== undefined) {
    assertText(create.idempotency.key);
    assertText(create.idempotency.digest);
  }
  if (then.kind === "hot") assertText(then.workerId);
}

function assertEvent({ eventId, event, data, fires }: NewEvent): void {
  assertText(eventId);
  assertText(event);
  assertText(data);
  if (fires !== undefined) assertStorable(fires);
}

/** Replaces characters that cannot be stored by U+FFFD: for texts from outside that people read. */
export function toStorable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

function assertText(text: unknown): void {
  // Callers without types may pass other values: a number would be returned as a text, or not at all.
  if (typeof text !== "string") {
    throw new ProcedoError("invalid_input", `A text, such as a person's id, is required; a ${typeof text} was given.`);
  }
  if (text.isWellFormed() && !text.includes("\0")) return;
  throw new ProcedoError(
    "invalid_input",
    "A text holds a NUL character or half of a surrogate pair (it may have been cut within an emoji) and cannot be " +
      "stored as it is.",
  );
}
