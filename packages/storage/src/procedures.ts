import type { Environment } from "@procedo/contract";
import type { AuditEntry } from "./audit.ts";
import type { Page, PageRequest } from "./scope.ts";

/** Immutable published versions, and the default version of each environment. Both belong to the workspace. */
export interface ProcedureStore {
  /**
   * - A version whose name exists MUST be answered `version_exists`, and change nothing.
   * - Version, defaults and audit entry MUST be one transaction.
   * - `defaultIfFirst` applies when the procedure had no version before and `defaultIn` is empty.
   */
  publish(request: {
    readonly version: NewVersion;
    readonly defaultIn: readonly Environment[];
    readonly defaultIfFirst: Environment;
    readonly audit: AuditEntry;
  }): Promise<"published" | "version_exists" | "audit_behind">;

  /**
   * Sets the default version of a procedure in one environment. Default and audit entry MUST be one transaction. A
   * version that does not exist MUST be answered `version_not_found`, and change nothing.
   */
  setDefault(request: {
    readonly workspace: string;
    readonly procedureId: string;
    readonly environment: Environment;
    readonly version: string;
    readonly audit: AuditEntry;
  }): Promise<"set" | "version_not_found" | "audit_behind">;

  /** A published version with its document; `undefined` when there is none. */
  version(request: {
    readonly workspace: string;
    readonly procedureId: string;
    readonly version: string;
  }): Promise<VersionRow | undefined>;

  /** Name of the default version; `undefined` when there is none in this environment. */
  defaultVersion(request: {
    readonly workspace: string;
    readonly procedureId: string;
    readonly environment: Environment;
  }): Promise<string | undefined>;

  /** Newest first, without documents. */
  versions(
    request: { readonly workspace: string; readonly procedureId: string } & PageRequest,
  ): Promise<Page<VersionSummary>>;

  /** Sorted by id. `after` lists the procedures whose id follows it; a cursor takes precedence. */
  list(request: { readonly workspace: string; readonly after?: string } & PageRequest): Promise<Page<ProcedureRow>>;
}

/** A published version to be stored. */
export interface NewVersion {
  /** The workspace of the procedure. */
  readonly workspace: string;
  /** The procedure of the version. */
  readonly procedureId: string;
  /** Name of the version; unique within the procedure. */
  readonly version: string;
  /** The procedure's name as of this version. */
  readonly name: string;
  /** The document, as JSON text. */
  readonly document: string;
  /** The person who published it. */
  readonly publishedBy: string;
  /** Time of its publication, in milliseconds since the epoch. */
  readonly publishedAtMs: number;
  /** The revision of the draft that was published. Left out for a version of a given document. */
  readonly draftRevision?: number;
}

/** A published version as it is stored. */
export type VersionRow = NewVersion;

/** A published version without its document. */
export type VersionSummary = Omit<NewVersion, "document">;

/** A procedure with its default versions. */
export interface ProcedureRow {
  /** The workspace of the procedure. */
  readonly workspace: string;
  /** Identifier of the procedure. */
  readonly procedureId: string;
  /** Of the newest version. */
  readonly name: string;
  /** The default version of each environment that has one. */
  readonly defaults: Readonly<Partial<Record<Environment, string>>>;
}
