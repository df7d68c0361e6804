import { ProcedoError } from "@procedo/contract";
import type { RunCommit } from "./runs.ts";

/**
 * Refuses texts that UTF-8 cannot hold, at any depth of a request, for adapters: a lone surrogate would come back as
 * another character, and a row's hash would no longer verify. A text cut in the middle of an emoji is the usual cause.
 *
 * @throws ProcedoError `invalid_input`
 */
export function assertStorable(value: unknown): void {
  if (typeof value === "string") assertWellFormed(value);
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(assertStorable);
}

/**
 * The same for a commit, with its usual form in mind: most are a row and nothing else. Also refuses a row whose creation
 * does not go together with its `seq`.
 *
 * @throws ProcedoError `invalid_input`, `internal`
 */
export function assertStorableCommit(item: RunCommit): void {
  assertWellFormed(item.body);
  assertWellFormed(item.hash);
  if (item.then.kind === "ended" && item.then.error !== undefined) assertWellFormed(item.then.error);
  if (item.create !== undefined) assertStorable([item.scope, item.runId, item.create, item.then]);
  if (item.openReview !== undefined) assertStorable(item.openReview);
  if (item.events !== undefined) assertStorable(item.events);
  if ((item.seq === 1) !== (item.create !== undefined)) {
    throw new ProcedoError("internal", `Run "${item.runId}": the row with seq 1, and no other, creates the run.`);
  }
}

function assertWellFormed(text: string): void {
  if (text.isWellFormed()) return;
  throw new ProcedoError(
    "invalid_input",
    "A text holds half of a surrogate pair and cannot be stored as it is; make it well-formed first.",
  );
}
