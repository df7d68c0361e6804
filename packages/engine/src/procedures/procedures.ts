/*
 * Publishing: drafts that people edit, versions that never change, and a default version for each environment. The
 * package `@procedo/procedure` compiles and interprets documents; this module checks them against the workspace and
 * stores them.
 *
 *   drafts.ts              saves and discards drafts; a revision detects conflicts; draft-record.ts: a draft in storage
 *   publish.ts             makes a version of a draft
 *   set-default.ts         makes a version the default of an environment
 *   read-procedures.ts     reads and lists drafts and versions
 *   versions.ts            finds the compiled version that a run executes
 *   compile-document.ts    compiles a document; surroundings.ts: against the actions that it names,
 *                          unanswered-reviews.ts: and against the keys that can decide its reviews
 *   connection-uses.ts     the procedures that call a connection; named-calls.ts: the calls of a document
 */
import { environments as allEnvironments, type Environment } from "@procedo/contract";
import type { Problem } from "@procedo/procedure";
import type { Page, PageRequest, Storage } from "@procedo/storage";
import type { AgentModels } from "../models/models.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { OutsideOptions } from "../egress/outside.ts";
import type { ConnectionNames } from "../connections/connection-names.ts";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import type { Slices } from "../journal/slices.ts";
import type { Clock } from "../ports/clock.ts";
import { createDocumentCompiler } from "./compile-document.ts";
import { createDrafts, problemsOfId } from "./drafts.ts";
import type { DiscardDraftRequest, SavedDraft, SaveDraftRequest } from "./drafts.ts";
import { publish, type PublishedVersion, type PublishRequest } from "./publish.ts";
import { createProcedureReader } from "./read-procedures.ts";
import type { ProcedureQuery, ProcedureSummary, ProcedureView, Version, VersionSummary } from "./read-procedures.ts";
import { setDefault, type ChosenDefault, type SetDefaultRequest } from "./set-default.ts";

/** The workspace's procedures, with their drafts, their published versions, and a default for each environment. */
export interface Procedures {
  /** Returns all problems that publishing a document as the default of these environments would find. */
  validate(
    request: {
      readonly document: unknown;
      /** The procedure that the document must name. @defaultValue any procedure */
      readonly procedureId?: string;
      /** @defaultValue none: a missing connection is a warning */
      readonly environments?: readonly Environment[];
    },
    options?: OutsideOptions,
  ): Promise<readonly Problem[]>;
  /**
   * Saves the procedure's draft, even if the document has problems. Problems with connections and keys are checked in
   * the environments that `by` reaches.
   *
   * @throws ProcedoError `permission_denied`, `invalid_input`; `version_not_found` for a `basedOn` that does not exist;
   *   `revision_conflict` if the draft now has another revision
   */
  saveDraft(request: SaveDraftRequest, options?: OutsideOptions): Promise<SavedDraft>;
  /**
   * Discards the procedure's draft, and records its revision and its last author. A procedure without versions then no
   * longer exists.
   *
   * @throws ProcedoError `permission_denied`; `procedure_not_found` if there is no draft; `revision_conflict` if the
   *   draft now has another revision
   */
  discardDraft(request: DiscardDraftRequest): Promise<void>;
  /**
   * Publishes a version of the given document, else of the draft.
   *
   * @throws ProcedoError `environment_mismatch`, `permission_denied`, `invalid_input`, `invalid_document` with every
   *   problem in `details`, `version_exists`; `procedure_not_found` if the draft is to be published and there is none;
   *   `revision_conflict` if the draft now has another revision, or if its revision is required and missing;
   *   `draft_outdated` if the newest version is not `basedOn`, or, without it, is one whose changes the draft lacks
   */
  publish(request: PublishRequest, options?: OutsideOptions): Promise<PublishedVersion>;
  /**
   * Makes a version the default after checking its connections in that environment. Returns its warnings there.
   *
   * @throws ProcedoError `environment_mismatch`, `permission_denied`, `version_not_found`, `invalid_document`
   */
  setDefault(request: SetDefaultRequest, options?: OutsideOptions): Promise<ChosenDefault>;
  /** A published version with its document. @throws ProcedoError `version_not_found` */
  version(request: { readonly procedureId: string; readonly version: string }): Promise<Version>;
  /**
   * Lists versions, newest first.
   *
   * @throws ProcedoError `procedure_not_found` if there is neither a draft nor a version; `invalid_cursor`
   */
  versions(request: { readonly procedureId: string } & PageRequest): Promise<Page<VersionSummary>>;
  /**
   * A procedure with its draft, its versions and its defaults.
   *
   * @throws ProcedoError `procedure_not_found` if there is neither a draft nor a version
   */
  get(request: { readonly procedureId: string }): Promise<ProcedureView>;
  /**
   * Lists procedures by id, including those that have only a draft. A page examines a bounded number of procedures and
   * of discarded drafts: it may be short or even empty although it has a `nextCursor`.
   *
   * @throws ProcedoError `invalid_cursor`
   */
  list(request: ProcedureQuery & PageRequest): Promise<Page<ProcedureSummary>>;
}

export interface ProcedurePorts {
  readonly storage: Pick<Storage, "procedures" | "records">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly audit: AuditLog;
  readonly resolveConnection: ResolveConnection;
  readonly connectionNames: ConnectionNames;
  readonly models: AgentModels;
  /** Called after each version that was published. */
  readonly onPublished: () => void;
}

export function createProcedures(ports: ProcedurePorts): Procedures {
  const { storage, workspace } = ports;
  const compile = createDocumentCompiler(ports);
  const drafts = createDrafts({ ...ports, compile });
  const reader = createProcedureReader({ storage, workspace, drafts });

  return {
    validate: async ({ document, procedureId, environments = [] }, { outside } = {}) => [
      ...problemsOfId(procedureId, document),
      ...(await compile(document, { defaultIn: environments, reach: allEnvironments }, outside)).problems,
    ],
    saveDraft: drafts.save,
    discardDraft: drafts.discard,
    publish: (request, options) => publish({ ...ports, compile, drafts }, request, options),
    setDefault: (request, options) => setDefault({ ...ports, compile }, request, options),
    ...reader,
  };
}
