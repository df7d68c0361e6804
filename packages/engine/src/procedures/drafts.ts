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

/** Where a procedure's draft stands. */
export interface DraftState {
  /** From 1. */
  readonly revision: number;
  readonly updatedAtMs: number;
}

/** A draft with what is written in it, which need not compile. */
export interface Draft extends DraftState {
  readonly document: JsonObject;
}

/** What saving a draft answers. */
export interface SavedDraft extends DraftState {
  /** All of the document's problems. */
  readonly problems: readonly Problem[];
}

/** A draft to be saved over the revision that its editor has seen. */
export interface SaveDraftRequest {
  readonly procedureId: string;
  /** At most 1 MiB of JSON. If it names a procedure, then this one. */
  readonly document: ProcedureDocument | JsonObject;
  /** Of the draft that this one replaces; 0: there is none yet. */
  readonly revision: number;
  readonly by: Principal;
}

/** A draft as lists show it. */
export interface DraftSummary extends DraftState {
  readonly procedureId: string;
  /** The procedure's name as the draft has it, or its id. */
  readonly name: string;
}

/** Who wrote what a draft says. */
export interface DraftOrigin {
  /** The only environment that the person who saved it reached; `undefined`: they reached both. */
  readonly savedIn: Environment | undefined;
}

export interface Drafts {
  readonly save: (request: SaveDraftRequest, options?: OutsideOptions) => Promise<SavedDraft>;
  find(procedureId: string): Promise<(Draft & DraftSummary & DraftOrigin) | undefined>;
  /** By id, from after `after`. */
  list(request: { readonly after: string; readonly limit: number }): Promise<{
    readonly items: readonly DraftSummary[];
    readonly more: boolean;
  }>;
}

/** What lists show of a draft. */
interface DraftHead {
  readonly name: string;
  readonly updatedAtMs: number;
  readonly savedIn?: Environment;
}

const kind = "draft";

/** Drafts that are read at a time: each may have a mebibyte, also where its head alone is wanted. */
const pageSize = 4;

/** As in a document that compiles. */
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
        kind,
        id,
        body: bodyOf(head, document),
        uniqueKeys: [],
        keys: [],
      };
      refuseRevoked(by);
      const result = await records.put({ record, ifRevision });
      if (result.status === "stored") return { revision: result.revision, updatedAtMs: head.updatedAtMs, problems };
      const now = (await records.get({ workspace, kind, id }))?.revision ?? 0;
      const message = `The draft of "${procedureId}" has revision ${now} by now, not ${ifRevision}. Load it and save again.`;
      throw new ProcedoError("revision_conflict", message);
    },
    find: async (procedureId) => {
      const row = await records.get({ workspace, kind, id: procedureId });
      return row && { ...summaryOf(row), document: documentOf(row), savedIn: headOf(row).savedIn };
    },
    list: async ({ after, limit }) => {
      const items: DraftSummary[] = [];
      for (let from = after; ;) {
        await slices.next();
        const page = await records.list({
          workspace,
          kind,
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

/** What is written in all drafts, each read when it is taken and as a piece of long work. */
export async function* draftDocuments(
  records: Pick<RecordStore, "list">,
  workspace: string,
  slices: Slices,
): AsyncGenerator<{ readonly procedureId: string; readonly document: JsonObject }> {
  for (let cursor: string | undefined; ;) {
    await slices.next();
    const page = await records.list({ workspace, kind, limit: pageSize, ...(cursor !== undefined && { cursor }) });
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
    throw invalid("The document is no JSON object.");
  }
  checkProcedureId(procedureId, document);
  return document as JsonObject;
}

/** The problem of a document that names another procedure. */
export function problemsOfId(procedureId: string | undefined, document: unknown): readonly Problem[] {
  if (procedureId === undefined || namesProcedure(procedureId, document)) return [];
  const message = `The document is of another procedure; write "${procedureId}".`;
  return [{ severity: "error", path: "/procedureId", code: "shape", message }];
}

/** Or none at all, which is a problem of its shape. */
function namesProcedure(procedureId: string, document: unknown): boolean {
  if (typeof document !== "object" || document === null || !("procedureId" in document)) return true;
  return document.procedureId === procedureId;
}

/** @throws ProcedoError `invalid_input` when the document names another procedure */
export function checkProcedureId(procedureId: string, document: unknown): void {
  if (namesProcedure(procedureId, document)) return;
  throw new ProcedoError("invalid_input", `The document is of another procedure than "${procedureId}".`, {
    details: [{ path: "/document/procedureId", message: `must be "${procedureId}"` }],
  });
}

function summaryOf(row: RecordRow): DraftSummary {
  const { name, updatedAtMs } = headOf(row);
  return { procedureId: row.id, name, revision: row.revision, updatedAtMs };
}

/** Cut to what a document that compiles may have, between two characters. */
function nameOf({ name }: JsonObject): string | undefined {
  if (typeof name !== "string" || name === "") return undefined;
  return name.slice(0, maxNameLength).replace(/[\ud800-\udbff]$/, "");
}

/** `[head,⏎document]`: JSON has no line break within a text, so that lists read the head and no more. */
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
