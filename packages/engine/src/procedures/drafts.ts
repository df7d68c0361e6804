import { maxJsonDepth, maxRequestBytes, ProcedoError, procedureIdSchema } from "@procedo/contract";
import type { Environment, JsonObject, ProcedureDocument } from "@procedo/contract";
import type { Problem } from "@procedo/procedure";
import type { NewRecord, ProcedureStore, RecordRow, RecordStore } from "@procedo/storage";
import { actor, authorize, reachOf, refuseRevoked, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { OutsideOptions } from "../egress/outside.ts";
import { copyJson } from "../json/json-copy.ts";
import type { Slices } from "../journal/slices.ts";
import type { Clock } from "../ports/clock.ts";
import type { CompileDocument } from "./compile-document.ts";
import {
  discardedBody,
  documentOf,
  draftBody,
  draftKind,
  headOf,
  isDiscarded,
  type DraftHead,
} from "./draft-record.ts";
import { versionNotFound } from "./versions.ts";

/** The revision of a procedure's draft, with the time and the author of its last change. */
export interface DraftState {
  /** From 1. It keeps growing when a draft is discarded and another one is begun. */
  readonly revision: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly updatedAtMs: number;
  /** The person who last changed it. */
  readonly by: string;
}

/** A draft with its document, which need not compile. */
export interface Draft extends DraftState {
  /** The document as it was saved. */
  readonly document: JsonObject;
  /**
   * The newest version whose changes the draft contains: that from which it began, or one that was published from it.
   * Left out if there was none.
   */
  readonly basedOn?: string;
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
  /**
   * The version from which the document began, or with which it was last compared.
   *
   * @defaultValue that of the draft that it replaces; for a new draft, the newest version
   */
  readonly basedOn?: string;
  /** The person or key that saves the draft. */
  readonly by: Principal;
}

/** A draft to be discarded. */
export interface DiscardDraftRequest {
  /** The procedure whose draft is discarded. */
  readonly procedureId: string;
  /** The revision that was read. */
  readonly revision: number;
  /** The person or key that discards the draft. */
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

/** A draft as it is stored. */
export interface StoredDraft extends DraftSummary, DraftOrigin, Pick<DraftHead, "firstRevision" | "basedOn"> {
  readonly document: JsonObject;
}

export interface Drafts {
  readonly save: (request: SaveDraftRequest, options?: OutsideOptions) => Promise<SavedDraft>;
  readonly discard: (request: DiscardDraftRequest) => Promise<void>;
  find(procedureId: string): Promise<StoredDraft | undefined>;
  /** Lists drafts by id, starting after `after`. */
  list(request: { readonly after: string; readonly limit: number }): Promise<DraftPage>;
}

/** One page of drafts. */
export interface DraftPage {
  readonly items: readonly DraftSummary[];
  /** Whether drafts may follow. */
  readonly more: boolean;
  /** The id up to which the page has all drafts, if it ended early because it skipped many discarded ones. */
  readonly endedAt?: string;
}

/** Drafts that are read at a time: each may have one mebibyte, even if only its head is needed. */
const pageSize = 4;

/** Discarded drafts that a page skips. The record of each stays. */
const maxSkipped = 100;

/** The limit of a document that compiles. */
const maxNameLength = 200;

export function createDrafts(ports: {
  readonly storage: { readonly records: RecordStore; readonly procedures: ProcedureStore };
  readonly workspace: string;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly audit: AuditLog;
  readonly compile: CompileDocument;
}): Drafts {
  const { workspace, clock, slices, audit: auditLog, compile } = ports;
  const { records, procedures } = ports.storage;

  const revisionConflict = async (procedureId: string, given: number, then: string): Promise<ProcedoError> => {
    const row = await records.get({ workspace, kind: draftKind, id: procedureId });
    const now = row === undefined || isDiscarded(row) ? 0 : row.revision;
    const message = `The draft of "${procedureId}" now has revision ${now}, not ${given}. Load it and ${then} again.`;
    return new ProcedoError("revision_conflict", message);
  };

  const baseOf = async (
    { procedureId, basedOn }: SaveDraftRequest,
    replaced: DraftHead | undefined,
  ): Promise<string | undefined> => {
    if (basedOn === undefined) {
      if (replaced !== undefined) return replaced.basedOn;
      return (await procedures.versions({ workspace, procedureId, limit: 1 })).items[0]?.version;
    }
    const isKnown = basedOn === replaced?.basedOn;
    if (!isKnown && (await procedures.version({ workspace, procedureId, version: basedOn })) === undefined) {
      throw versionNotFound(procedureId, basedOn);
    }
    return basedOn;
  };

  const recordOf = (id: string, body: string): NewRecord => {
    return { workspace, environment: undefined, kind: draftKind, id, body, uniqueKeys: [], keys: [] };
  };

  return {
    save: async (request, { outside } = {}) => {
      const { procedureId, revision: ifRevision, by } = request;
      authorize(by, "manage");
      const document = checked(procedureId, request.document);
      const id = procedureId;
      const row = await records.get({ workspace, kind: draftKind, id });
      const replaced = row === undefined || isDiscarded(row) ? undefined : headOf(row);
      if (ifRevision !== (replaced === undefined ? 0 : row?.revision)) {
        throw await revisionConflict(procedureId, ifRevision, "save");
      }
      const basedOn = await baseOf(request, replaced);
      const { problems } = await compile(document, { defaultIn: [], reach: reachOf(by) }, outside);
      const storedRevision = row?.revision ?? 0;
      const { environment: savedIn } = by;
      const head: DraftHead = {
        name: nameOf(document) ?? procedureId,
        updatedAtMs: clock.now(),
        by: actor(by).by,
        ...(savedIn !== undefined && { savedIn }),
        firstRevision: replaced?.firstRevision ?? storedRevision + 1,
        ...(basedOn !== undefined && { basedOn }),
      };
      refuseRevoked(by);
      const record = recordOf(id, draftBody(head, document));
      const result = await records.put({ record, ifRevision: storedRevision });
      if (result.status !== "stored") throw await revisionConflict(procedureId, ifRevision, "save");
      return { revision: result.revision, updatedAtMs: head.updatedAtMs, by: head.by, problems };
    },
    discard: async ({ procedureId, revision, by }) => {
      authorize(by, "manage");
      const row = await records.get({ workspace, kind: draftKind, id: procedureId });
      if (row === undefined || isDiscarded(row)) throw noDraft(procedureId);
      if (row.revision !== revision) throw await revisionConflict(procedureId, revision, "discard it");
      const { by: author } = headOf(row);
      const details = { revision, author };
      const fact = { ...actor(by), action: "procedure.draft_discarded", subject: procedureId, details };
      const record = recordOf(procedureId, discardedBody);
      const result = await auditLog.record(fact, (audit) => records.put({ record, ifRevision: revision, audit }));
      if (result.status !== "stored") throw await revisionConflict(procedureId, revision, "discard it");
    },
    find: async (procedureId) => {
      const row = await records.get({ workspace, kind: draftKind, id: procedureId });
      if (row === undefined || isDiscarded(row)) return undefined;
      const { savedIn, firstRevision, basedOn } = headOf(row);
      const base = { firstRevision, ...(basedOn !== undefined && { basedOn }) };
      return { ...summaryOf(row), document: documentOf(row), savedIn, ...base };
    },
    list: async ({ after, limit }) => {
      const items: DraftSummary[] = [];
      let skipped = 0;
      for (let from = after; ;) {
        await slices.next();
        const page = await records.list({
          workspace,
          kind: draftKind,
          after: from,
          limit: Math.min(pageSize, limit - items.length),
        });
        const kept = page.items.filter((row) => !isDiscarded(row));
        items.push(...kept.map(summaryOf));
        skipped += page.items.length - kept.length;
        const last = page.items.at(-1)?.id;
        const more = page.nextCursor !== undefined;
        if (!more || last === undefined || items.length >= limit) return { items, more };
        if (skipped >= maxSkipped) return { items, more, endedAt: last };
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
      if (!isDiscarded(row)) yield { procedureId: row.id, document: documentOf(row) };
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
  const { name, updatedAtMs, by } = headOf(row);
  return { procedureId: row.id, name, revision: row.revision, updatedAtMs, by };
}

/** The document's name, cut to the limit of a document that compiles, between two characters. */
function nameOf({ name }: JsonObject): string | undefined {
  if (typeof name !== "string" || name === "") return undefined;
  return name.slice(0, maxNameLength).replace(/[\ud800-\udbff]$/, "");
}

/** The error of a procedure without a draft. */
export function noDraft(procedureId: string): ProcedoError {
  return new ProcedoError("procedure_not_found", `There is no draft of procedure "${procedureId}".`);
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_input", message);
}
