import { maxJsonDepth, maxRequestBytes, ProcedoError, procedureIdSchema } from "@procedo/contract";
import type { Environment, JsonObject, ProcedureDocument } from "@procedo/contract";
import type { Problem } from "@procedo/procedure";
import type { RecordRow, RecordStore } from "@procedo/storage";
import { authorize, reachOf, refuseRevoked, type Principal } from "../access/principal.ts";
import type { OutsideOptions } from "../egress/outside.ts";
import { copyJson } from "../json/json-copy.ts";
import type { Slices } from "../journal/slices.ts";
import type { Clock } from "../ports/clock.ts";
import type { CompileDocument } from "./compile-document.ts";

/** The revision of a procedure's draft and the time of its last change. */
export interface DraftState {
  /** From 1. */
  readonly revision: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly updatedAtMs: number;
}

/** A draft with its document, which need not compile. */
export interface Draft extends DraftState {
  /** The document as it was saved. */
  readonly document: JsonObject;
}

/** The result of saving a draft. */
export interface SavedDraft extends DraftState {
  /** All of the document's problems. */
  readonly problems: readonly Problem[];
}

/** A draft to be saved over the revision that its editor loaded. */
export interface SaveDraftRequest {
  /** The procedure whose draft is saved. */
  readonly procedureId: string;
  /** At most 1 MiB of JSON. A procedure id in it must be `procedureId`. */
  readonly document: ProcedureDocument | JsonObject;
  /** The revision that this draft replaces; 0 if there is no draft yet. */
  readonly revision: number;
  /** The person or key that saves the draft. */
  readonly by: Principal;
}

/** A draft as lists show it. */
export interface DraftSummary extends DraftState {
  readonly procedureId: string;
  /** The procedure's name in the draft, or its id. */
  readonly name: string;
}

/** The origin of a draft's content. */
export interface DraftOrigin {
  /** The only environment that the person who saved the draft could reach; `undefined` if they could reach both. */
  readonly savedIn: Environment | undefined;
}

export interface Drafts {
  readonly save: (request: SaveDraftRequest, options?: OutsideOptions) => Promise<SavedDraft>;
  find(procedureId: string): Promise<(Draft & DraftSummary & DraftOrigin) | undefined>;
  /** Lists drafts by id, starting after `after`. */
  list(request: { readonly after: string; readonly limit: number }): Promise<{
    readonly items: readonly DraftSummary[];
    readonly more: boolean;
  }>;
}

/** The part of a draft that lists show. */
interface DraftHead {
  readonly name: string;
  readonly updatedAtMs: number;
  readonly savedIn?: Environment;
}

/** Record kind of drafts. */
export const draftKind = "draft";

/** Drafts that are read at a time: each may have one mebibyte, even if only its head is needed. */
const pageSize = 4;

/** The limit of a document that compiles. */
const maxNameLength = 200;

export function createDrafts(ports: {
  readonly storage: { readonly records: RecordStore };
  readonly workspace: string;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly compile: CompileDocument;
}): Drafts {
  const { workspace, clock, slices, compile } = ports;
  const { records } = ports.storage;

  return {
    save: async ({ procedureId, document: given, revision: ifRevision, by }, { outside } = {}) => {
      authorize(by, "manage");
      const document = checked(procedureId, given);
      const { environment: savedIn } = by;
      const head: DraftHead = {
        name: nameOf(document) ?? procedureId,
        updatedAtMs: clock.now(),
        ...(savedIn !== undefined && { savedIn }),
      };
      const { problems } = await compile(document, { defaultIn: [], reach: reachOf(by) }, outside);
      const id = procedureId;
      const record = {
        workspace,
        environment: undefined,
        kind: draftKind,
        id,
        body: bodyOf(head, document),
        uniqueKeys: [],
        keys: [],
      };
      refuseRevoked(by);
      const result = await records.put({ record, ifRevision });
      if (result.status === "stored") return { revision: result.revision, updatedAtMs: head.updatedAtMs, problems };
      const now = (await records.get({ workspace, kind: draftKind, id }))?.revision ?? 0;
      const message = `The draft of "${procedureId}" now has revision ${now}, not ${ifRevision}. Load it and save again.`;
      throw new ProcedoError("revision_conflict", message);
    },
    find: async (procedureId) => {
      const row = await records.get({ workspace, kind: draftKind, id: procedureId });
      return row && { ...summaryOf(row), document: documentOf(row), savedIn: headOf(row).savedIn };
    },
    list: async ({ after, limit }) => {
      const items: DraftSummary[] = [];
      for (let from = after; ;) {
        await slices.next();
        const page = await records.list({
          workspace,
          kind: draftKind,
          after: from,
          limit: Math.min(pageSize, limit - items.length),
        });
        items.push(...page.items.map(summaryOf));
        const last = page.items.at(-1)?.id;
        const more = page.nextCursor !== undefined;
        if (!more || last === undefined || items.length >= limit) return { items, more };
        from = last;
      }
    },
  };
}

/** The documents of all drafts, each read on demand and in its own slice of long work. */
export async function* draftDocuments(
  records: Pick<RecordStore, "list">,
  workspace: string,
  slices: Slices,
): AsyncGenerator<{ readonly procedureId: string; readonly document: JsonObject }> {
  for (let cursor: string | undefined; ;) {
    await slices.next();
    const page = await records.list({
      workspace,
      kind: draftKind,
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    });
    for (const row of page.items) {
      await slices.next();
      yield { procedureId: row.id, document: documentOf(row) };
    }
    if (page.nextCursor === undefined) return;
    cursor = page.nextCursor;
  }
}

function checked(procedureId: string, given: unknown): JsonObject {
  const id = procedureIdSchema.safeParse(procedureId);
  if (!id.success) throw invalid(`The procedure id "${procedureId}" ${id.error.issues[0]?.message ?? ""}.`);
  const copy = copyJson(given, { depth: maxJsonDepth, bytes: maxRequestBytes });
  if (!copy.ok) throw invalid(`The document ${copy.message}.`);
  const document = copy.value;
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw invalid("The document is not a JSON object.");
  }
  checkProcedureId(procedureId, document);
  return document as JsonObject;
}

/** The problem of a document that names another procedure. */
export function problemsOfId(procedureId: string | undefined, document: unknown): readonly Problem[] {
  if (procedureId === undefined || namesProcedure(procedureId, document)) return [];
  const message = `The document belongs to another procedure; write "${procedureId}".`;
  return [{ severity: "error", path: "/procedureId", code: "shape", message }];
}

/** Whether the document names the procedure, or none: a missing id is a problem of the document's shape. */
function namesProcedure(procedureId: string, document: unknown): boolean {
  if (typeof document !== "object" || document === null || !("procedureId" in document)) return true;
  return document.procedureId === procedureId;
}

/** @throws ProcedoError `invalid_input` if the document names another procedure */
export function checkProcedureId(procedureId: string, document: unknown): void {
  if (namesProcedure(procedureId, document)) return;
  throw new ProcedoError("invalid_input", `The document belongs to a procedure other than "${procedureId}".`, {
    details: [{ path: "/document/procedureId", message: `must be "${procedureId}"` }],
  });
}

function summaryOf(row: RecordRow): DraftSummary {
  const { name, updatedAtMs } = headOf(row);
  return { procedureId: row.id, name, revision: row.revision, updatedAtMs };
}

/** The document's name, cut to the limit of a document that compiles, between two characters. */
function nameOf({ name }: JsonObject): string | undefined {
  if (typeof name !== "string" || name === "") return undefined;
  return name.slice(0, maxNameLength).replace(/[\ud800-\udbff]$/, "");
}

/** `[head,⏎document]`: JSON has no line break within a text, so that lists can parse the head alone. */
function bodyOf(head: DraftHead, document: JsonObject): string {
  return `[${JSON.stringify(head)},\n${JSON.stringify(document)}]`;
}

function headOf({ body }: RecordRow): DraftHead {
  return JSON.parse(body.slice(1, body.indexOf(",\n"))) as DraftHead;
}

function documentOf({ body }: RecordRow): JsonObject {
  return JSON.parse(body.slice(body.indexOf("\n") + 1, -1)) as JsonObject;
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_input", message);
}
