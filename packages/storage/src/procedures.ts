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

  setDefault(request: {
    readonly workspace: string;
    readonly procedureId: string;
    readonly environment: Environment;
    readonly version: string;
    readonly audit: AuditEntry;
  }): Promise<"set" | "version_not_found" | "audit_behind">;

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
  readonly workspace: string;
  readonly procedureId: string;
  readonly version: string;
  /** The procedure's name as of this version. */
  readonly name: string;
  /** The document, as JSON text. */
  readonly document: string;
  readonly publishedBy: string;
  readonly publishedAtMs: number;
}

/** A published version as it is stored. */
export type VersionRow = NewVersion;

/** A published version without its document. */
export type VersionSummary = Omit<NewVersion, "document">;

/** A procedure with its default versions. */
export interface ProcedureRow {
  readonly workspace: string;
  readonly procedureId: string;
  /** Of the newest version. */
  readonly name: string;
  readonly defaults: { readonly [environment in Environment]?: string };
}
