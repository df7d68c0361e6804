import { ProcedoError, type Environment, type ProcedureDocument } from "@procedo/contract";
import { decodeCursor, encodeCursor, type Page, type PageRequest, type ProcedureStore } from "@procedo/storage";
import type { VersionRow, VersionSummary as StoredSummary } from "@procedo/storage";
import { isBasedOn } from "./draft-record.ts";
import type { Draft, Drafts, DraftState, DraftSummary, StoredDraft } from "./drafts.ts";
import { versionNotFound } from "./versions.ts";

/** A published version as lists show it. */
export interface VersionSummary {
  /** The procedure of the version. */
  readonly procedureId: string;
  /** Name of the version. */
  readonly version: string;
  /** The procedure's name as of this version. */
  readonly name: string;
  /** The person who published it. */
  readonly publishedBy: string;
  /** Time of its publication, in milliseconds since the epoch. */
  readonly publishedAtMs: number;
}

/** A published version; it never changes. */
export interface Version extends VersionSummary {
  /** The published document. */
  readonly document: ProcedureDocument;
}

/** A procedure as lists show it. */
export interface ProcedureSummary {
  /** Identifier of the procedure. */
  readonly procedureId: string;
  /** The name in the newest version, or in the draft if there is no version. */
  readonly name: string;
  /** Left out if there is no draft. */
  readonly draft?: DraftState;
  /** The default version of each environment that has one. */
  readonly defaults: Readonly<Partial<Record<Environment, string>>>;
}

/** A procedure with its draft and its newest versions. */
export interface ProcedureView extends ProcedureSummary {
  /** The draft with its document. Left out if there is no draft. */
  readonly draft?: Draft;
  /** The newest 100, newest first. */
  readonly versions: readonly VersionSummary[];
}

export interface ProcedureReader {
  version(request: { readonly procedureId: string; readonly version: string }): Promise<Version>;
  versions(request: { readonly procedureId: string } & PageRequest): Promise<Page<VersionSummary>>;
  get(request: { readonly procedureId: string }): Promise<ProcedureView>;
  list(request: ProcedureQuery & PageRequest): Promise<Page<ProcedureSummary>>;
}

/** The procedures to list. */
export interface ProcedureQuery {
  /** Words that the id or the name contains, in either case. @defaultValue all procedures */
  readonly search?: string;
}

/** The next procedures and drafts, together. */
interface Portion {
  readonly rows: readonly ProcedureSummary[];
  /** The id after which the list goes on; `undefined` at its end. */
  readonly following: string | undefined;
  /** Whether the portion ended early because of discarded drafts. */
  readonly isCut: boolean;
}

const shownVersions = 100;

/** Procedures that a page of a search examines. */
const maxSearched = 500;

export function createProcedureReader(ports: {
  readonly storage: { readonly procedures: ProcedureStore };
  readonly workspace: string;
  readonly drafts: Pick<Drafts, "find" | "list">;
}): ProcedureReader {
  const { workspace, drafts } = ports;
  const { procedures } = ports.storage;

  const defaultsOf = async (procedureId: string): Promise<ProcedureSummary["defaults"]> => {
    const [sandbox, live] = await Promise.all([
      procedures.defaultVersion({ workspace, procedureId, environment: "sandbox" }),
      procedures.defaultVersion({ workspace, procedureId, environment: "live" }),
    ]);
    return { ...(sandbox === undefined ? {} : { sandbox }), ...(live === undefined ? {} : { live }) };
  };

  return {
    version: async ({ procedureId, version }) => {
      const row = await procedures.version({ workspace, procedureId, version });
      if (row === undefined) throw versionNotFound(procedureId, version);
      return { ...summaryOf(row), document: JSON.parse(row.document) as ProcedureDocument };
    },
    versions: async (request) => {
      const { items, nextCursor } = await procedures.versions({ workspace, ...request });
      const { procedureId } = request;
      if (items.length === 0 && (await drafts.find(procedureId)) === undefined) throw procedureNotFound(procedureId);
      return { items: items.map(summaryOf), nextCursor };
    },
    get: async ({ procedureId }) => {
      const [draft, defaults, { items }] = await Promise.all([
        drafts.find(procedureId),
        defaultsOf(procedureId),
        procedures.versions({ workspace, procedureId, limit: shownVersions }),
      ]);
      const name = items[0]?.name ?? draft?.name;
      if (name === undefined) throw procedureNotFound(procedureId);
      return {
        procedureId,
        name,
        ...(draft === undefined ? {} : { draft: viewOf(draft, items) }),
        defaults,
        versions: items.map(summaryOf),
      };
    },
    list: async ({ search = "", limit, cursor }) => {
      const query = ["procedures and drafts", workspace, search];
      const holds = searchFor(search);
      const items: ProcedureSummary[] = [];
      let [after] = decodeCursor(query, cursor, ["string"]) ?? [""];
      for (let examined = 0; ;) {
        const { rows, following, isCut } = await listAfter(after, limit);
        for (const [index, row] of rows.entries()) {
          after = row.procedureId;
          examined += 1;
          if (holds(row)) items.push(row);
          const isEnd = index === rows.length - 1 && following === undefined;
          if (items.length >= limit && !isEnd) return { items, nextCursor: encodeCursor(query, [after]) };
        }
        if (following === undefined) return { items, nextCursor: undefined };
        after = following;
        if (isCut || examined >= maxSearched) return { items, nextCursor: encodeCursor(query, [after]) };
      }
    },
  };

  /** The first procedures and drafts after an id, together. */
  async function listAfter(after: string, limit: number): Promise<Portion> {
    const [published, drafted] = await Promise.all([
      procedures.list({ workspace, after, limit }),
      drafts.list({ after, limit }),
    ]);
    const { endedAt } = drafted;
    // Drafts of procedures after that place are unknown.
    const all = merged(published.items, drafted.items).filter(
      ({ procedureId }) => endedAt === undefined || procedureId <= endedAt,
    );
    const rows = all.slice(0, limit);
    const isCut = endedAt !== undefined && rows.length === all.length;
    if (isCut) return { rows, following: endedAt, isCut };
    const more = all.length > limit || published.nextCursor !== undefined || drafted.more;
    return { rows, following: more ? rows.at(-1)?.procedureId : undefined, isCut };
  }
}

/** Whether the id or the name of a procedure contains each word of a search, in either case. */
function searchFor(search: string): (procedure: ProcedureSummary) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ procedureId, name }) => {
    const text = `${procedureId}\n${name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Merges two lists by id. The first rows of both lists contain the first rows of the result. */
function merged(
  published: readonly Omit<ProcedureSummary, "draft">[],
  drafted: readonly DraftSummary[],
): readonly ProcedureSummary[] {
  const byId = new Map<string, ProcedureSummary>();
  for (const { procedureId, name, defaults } of published) byId.set(procedureId, { procedureId, name, defaults });
  for (const draft of drafted) {
    const { procedureId, name } = draft;
    byId.set(procedureId, { ...(byId.get(procedureId) ?? { procedureId, name, defaults: {} }), draft: stateOf(draft) });
  }
  return [...byId.values()].sort((a, b) => (a.procedureId < b.procedureId ? -1 : 1));
}

/** A version without the fields that only storage needs. */
export function summaryOf(row: VersionRow | StoredSummary): VersionSummary {
  const { procedureId, version, name, publishedBy, publishedAtMs } = row;
  return { procedureId, version, name, publishedBy, publishedAtMs };
}

function stateOf({ revision, updatedAtMs, by }: DraftState): DraftState {
  return { revision, updatedAtMs, by };
}

/** @param versions newest first */
function viewOf(draft: StoredDraft, versions: readonly StoredSummary[]): Draft {
  const basedOn = versions.find((version) => isBasedOn(draft, version))?.version ?? draft.basedOn;
  return { ...stateOf(draft), document: draft.document, ...(basedOn !== undefined && { basedOn }) };
}

function procedureNotFound(procedureId: string): ProcedoError {
  return new ProcedoError(
    "procedure_not_found",
    `There is neither a draft nor a version of procedure "${procedureId}".`,
  );
}
