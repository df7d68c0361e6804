import { ProcedoError } from "@procedo/contract";
import { assertSettlements } from "./reservations.ts";
import type { NewEvent, RunCommit, RunCreation } from "./runs.ts";

/**
 * Refuses texts that not every database gives back as they were, at any depth of a request, for adapters. NUL ends a text
 * in Postgres and in older bindings of SQLite; UTF-8 has no lone surrogates, so that another character would come back
 * and the row's hash no longer verify. JSON text has neither.
 *
 * @throws ProcedoError `invalid_input`
 */
export function assertStorable(value: unknown): void {
  if (typeof value === "string") assertText(value);
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(assertStorable);
}

/**
 * The same for a commit, with its usual form in mind: most are a row and nothing else. Also refuses a row whose creation
 * does not go together with its `seq`.
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
 * Whether `assertStorableCommit` lets a commit pass: for the row that follows a decision or a result, as a row that cannot
 * be stored is no reason to refuse what comes before it.
 */
export function isStorableCommit(item: RunCommit): boolean {
  try {
    assertStorableCommit(item);
    return true;
  } catch {
    return false;
  }
}

/** Spelled out, as every run has one: looking at whatever members there are takes several times as long. */
function assertCreation({ scope, runId, then }: RunCommit, create: RunCreation): void {
  assertText(scope.workspace);
  assertText(runId);
  assertText(create.procedureId);
  assertText(create.procedureVersion);
  assertText(create.startedBy);
  if (create.idempotency !== undefined) {
    assertText(create.idempotency.key);
    assertText(create.idempotency.digest);
  }
  if (then.kind === "hot") assertText(then.workerId);
}

function assertEvent({ eventId, event, data }: NewEvent): void {
  assertText(eventId);
  assertText(event);
  assertText(data);
}

/** The text with U+FFFD where it cannot be stored: for texts that people read and that came from anywhere. */
export function toStorable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

function assertText(text: unknown): void {
  // Types end where plain JavaScript calls: a number would come back as a text, or not at all.
  if (typeof text !== "string") {
    throw new ProcedoError("invalid_input", `A text is needed where a ${typeof text} is given, such as a person's id.`);
  }
  if (text.isWellFormed() && !text.includes("\0")) return;
  throw new ProcedoError(
    "invalid_input",
    "A text holds a NUL character or half of a surrogate pair (it may have been cut within an emoji) and cannot be " +
      "stored as it is.",
  );
}
