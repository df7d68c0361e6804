import type { Environment, JsonObject } from "@procedo/contract";
import type { RecordRow, VersionSummary } from "@procedo/storage";

/** Record kind of drafts. */
export const draftKind = "draft";

/** The part of a draft that lists show. */
export interface DraftHead {
  readonly name: string;
  readonly updatedAtMs: number;
  /** The person who saved it. */
  readonly by: string;
  /** The only environment that this person could reach; left out if they could reach both. */
  readonly savedIn?: Environment;
  /** The revision with which the draft began. Earlier revisions belong to drafts that were discarded. */
  readonly firstRevision: number;
  /** The version that the draft began from, or was last compared with. Left out if there was no version. */
  readonly basedOn?: string;
}

/**
 * The body of a discarded draft. The record stays: with a new one, revisions would begin again, and an editor that
 * loaded revision 1 of the discarded draft could replace revision 1 of the next.
 */
export const discardedBody = "null";

export function isDiscarded({ body }: RecordRow): boolean {
  return body === discardedBody;
}

/** `[head,⏎document]`: JSON has no line break within a text, so that lists can parse the head alone. */
export function draftBody(head: DraftHead, document: JsonObject): string {
  return `[${JSON.stringify(head)},\n${JSON.stringify(document)}]`;
}

export function headOf({ body }: RecordRow): DraftHead {
  return JSON.parse(body.slice(1, body.indexOf(",\n"))) as DraftHead;
}

export function documentOf({ body }: RecordRow): JsonObject {
  return JSON.parse(body.slice(body.indexOf("\n") + 1, -1)) as JsonObject;
}

/**
 * Whether the draft contains the changes of a version: it began from the version, or the version was published from one
 * of its revisions. A revision replaces the one before.
 */
export function isBasedOn(
  { firstRevision, basedOn }: Pick<DraftHead, "firstRevision" | "basedOn">,
  { version, draftRevision = 0 }: Pick<VersionSummary, "version" | "draftRevision">,
): boolean {
  return version === basedOn || draftRevision >= firstRevision;
}
