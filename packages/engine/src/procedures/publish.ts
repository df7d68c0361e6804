import { ProcedoError, versionNameSchema } from "@procedo/contract";
import type { Environment, JsonObject, ProcedureDocument } from "@procedo/contract";
import type { Problem } from "@procedo/procedure";
import type { ProcedureStore } from "@procedo/storage";
import { actor, authorize, reachOf, refuseRevoked, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { OutsideOptions } from "../egress/outside.ts";
import { bodyDigest } from "../journal/chain.ts";
import type { Clock } from "../ports/clock.ts";
import { invalidDocument, type CompileDocument } from "./compile-document.ts";
import { isBasedOn } from "./draft-record.ts";
import { checkProcedureId, type Drafts, type StoredDraft } from "./drafts.ts";
import { summaryOf, type VersionSummary } from "./read-procedures.ts";
import { setDefault } from "./set-default.ts";

/** A version to be published, from a document or from the draft. */
export interface PublishRequest {
  /** The document to publish. @defaultValue the draft of `procedureId` */
  readonly document?: ProcedureDocument | JsonObject;
  /**
   * The procedure whose version is published. Required without a document; a given document must name the same
   * procedure. @defaultValue the document's
   */
  readonly procedureId?: string;
  /**
   * The revision of the draft to publish, from 1; not allowed with a document. Required if the draft becomes a default
   * in one environment and was saved by a principal that reaches only the other.
   *
   * @defaultValue the current revision
   */
  readonly revision?: number;
  /**
   * The version that the publisher knows to be the newest; not allowed with a document. Required if the draft does not
   * contain the changes of the newest version, which publishing it would undo.
   *
   * @defaultValue the draft must contain the changes of the newest version
   */
  readonly basedOn?: string;
  /** Name of the version, such as `v3`, 1 to 128 characters. A version cannot change once published. */
  readonly version: string;
  /** The environments where the version becomes the default. @defaultValue none, unless it is the first version */
  readonly defaultIn?: readonly Environment[];
  /** The environment where a first version becomes the default. @defaultValue `by.environment`, else "sandbox" */
  readonly environment?: Environment;
  /**
   * The treatment of an identical document that is already published under this name. `accept`: the version stays and
   * becomes the default in `defaultIn`, so that a program may publish at each start. `refuse`: `version_exists`.
   *
   * @defaultValue "accept"
   */
  readonly ifExists?: "accept" | "refuse";
  /** The person or key that publishes. */
  readonly by: Principal;
}

export interface PublishedVersion extends VersionSummary {
  /** Warnings only: a document with an error is not published. */
  readonly problems: readonly Problem[];
  /** Whether the same document was already published under this name. */
  readonly existing: boolean;
}

export interface PublishPorts {
  readonly storage: { readonly procedures: ProcedureStore };
  readonly workspace: string;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly compile: CompileDocument;
  readonly drafts: Pick<Drafts, "find">;
  /** Called after each version that was published. */
  readonly onPublished: () => void;
}

/** See `Procedures.publish`. */
export async function publish(
  ports: PublishPorts,
  request: PublishRequest,
  options: OutsideOptions = {},
): Promise<PublishedVersion> {
  const { workspace } = ports;
  const { procedures } = ports.storage;
  const { version, defaultIn = [], ifExists = "accept", by } = request;
  const environment = mayPublish(request);
  checkName(version);
  const { document, draft } = await documentOf(ports, request);
  // A first version always becomes a default, and is checked in the environment where it does.
  const first = defaultIn.length === 0 && (await isFirst(ports, document));
  const checkedIn = first ? [environment] : defaultIn;
  if (draft !== undefined && request.revision === undefined) checkOrigin(draft, checkedIn);
  const compiled = await ports.compile(document, { defaultIn: checkedIn, reach: reachOf(by) }, options.outside);
  if (!compiled.ok) throw invalidDocument(compiled.problems);

  const { problems, procedure } = compiled;
  const { procedureId, name } = procedure.document;
  const text = JSON.stringify(procedure.document);
  const summary = { procedureId, version, name, publishedBy: actor(by).by, publishedAtMs: ports.clock.now() };
  const fact = {
    ...actor(by),
    action: "procedure.published",
    subject: `${procedureId}@${version}`,
    details: { defaultIn: [...defaultIn], defaultIfFirst: environment, digest: bodyDigest(text) },
  };
  const result = await ports.audit.record(fact, async (audit) => {
    if (draft !== undefined) {
      // Each version has an entry of its own: one that was published since the check leaves this one behind.
      await checkBase(ports, draft, request.basedOn);
      refuseRevoked(by);
    }
    return await procedures.publish({
      version: { workspace, ...summary, document: text, ...(draft && { draftRevision: draft.revision }) },
      defaultIn,
      defaultIfFirst: environment,
      audit,
    });
  });
  if (result === "published") {
    ports.onPublished();
    return { ...summary, problems, existing: false };
  }

  const row = await procedures.version({ workspace, procedureId, version });
  if (row !== undefined && isSameDocument(row.document, text) && ifExists === "accept") {
    for (const its of defaultIn) {
      const current = await procedures.defaultVersion({ workspace, procedureId, environment: its });
      if (current !== version) await setDefault(ports, { procedureId, version, environment: its, by }, options);
    }
    return { ...summaryOf(row), problems, existing: true };
  }
  throw new ProcedoError(
    "version_exists",
    `Version "${version}" of "${procedureId}" is already published and cannot change. Choose another name.`,
  );
}

/** Whether two texts are the same document, ignoring `$schema`, the address of its JSON Schema. */
function isSameDocument(one: string, other: string): boolean {
  const executed = (text: string): string => {
    const { $schema: _schema, ...document } = JSON.parse(text) as ProcedureDocument;
    return JSON.stringify(document);
  };
  return one === other || executed(one) === executed(other);
}

/** Checks the permissions. Returns the environment where a first version becomes the default. */
function mayPublish({ by, defaultIn = [], environment }: PublishRequest): Environment {
  authorize(by, "manage", environment);
  for (const its of defaultIn) authorize(by, "manage", its);
  return environment ?? by.environment ?? "sandbox";
}

function checkName(version: string): void {
  const name = versionNameSchema.safeParse(version);
  if (name.success) return;
  throw new ProcedoError("invalid_input", `The version name "${version}" ${name.error.issues[0]?.message ?? ""}.`);
}

async function documentOf(
  { drafts }: PublishPorts,
  { document, procedureId, revision, basedOn }: PublishRequest,
): Promise<{ readonly document: ProcedureDocument | JsonObject; readonly draft?: StoredDraft }> {
  if (document !== undefined) {
    if (procedureId !== undefined) checkProcedureId(procedureId, document);
    if (revision !== undefined) throw besideDocument("revision");
    if (basedOn !== undefined) throw besideDocument("basedOn");
    return { document };
  }
  if (procedureId === undefined) {
    throw new ProcedoError("invalid_input", "Give a document, or the procedureId of the draft to publish.");
  }
  const draft = await drafts.find(procedureId);
  if (draft === undefined) {
    throw new ProcedoError("procedure_not_found", `There is no draft of procedure "${procedureId}". Give a document.`);
  }
  if (revision === undefined || revision === draft.revision) return { document: draft.document, draft };
  const message = `The draft of "${procedureId}" now has revision ${draft.revision}, not ${revision}. Load it and publish again.`;
  throw new ProcedoError("revision_conflict", message);
}

/** Both environments share one draft: content from the other environment must not become a default unread. */
function checkOrigin({ procedureId, revision, savedIn }: StoredDraft, defaultIn: readonly Environment[]): void {
  const other = defaultIn.find((environment) => savedIn !== undefined && environment !== savedIn);
  if (other === undefined) return;
  throw new ProcedoError(
    "revision_conflict",
    `The draft of "${procedureId}" was last saved in ${savedIn}, and would become the default of ${other}. ` +
      `Read it, then publish it with its revision, which is ${revision}.`,
  );
}

/** A draft without the changes of the newest version must not undo them unseen. */
async function checkBase(
  { storage, workspace }: PublishPorts,
  draft: StoredDraft,
  known: string | undefined,
): Promise<void> {
  const { procedureId } = draft;
  const [newest] = (await storage.procedures.versions({ workspace, procedureId, limit: 1 })).items;
  if (known === undefined && (newest === undefined || isBasedOn(draft, newest))) return;
  if (known === newest?.version) return;
  const state =
    newest === undefined
      ? `"${procedureId}" has no version yet.`
      : `Version "${newest.version}", published by ${newest.publishedBy}, is now the newest of "${procedureId}".`;
  const lacking = known === undefined ? "The draft does not contain its changes, and would undo them." : "";
  const advice =
    newest === undefined
      ? "Leave basedOn out."
      : `Compare the draft with it, then publish with basedOn "${newest.version}".`;
  throw new ProcedoError("draft_outdated", [state, lacking, advice].filter((text) => text !== "").join(" "));
}

function besideDocument(name: "revision" | "basedOn"): ProcedoError {
  const message = `"${name}" refers to the draft: leave it out when a document is given.`;
  return new ProcedoError("invalid_input", message, {
    details: [{ path: `/${name}`, message: "must be left out beside a document" }],
  });
}

async function isFirst(
  { storage, workspace }: PublishPorts,
  { procedureId }: { readonly procedureId?: unknown },
): Promise<boolean> {
  if (typeof procedureId !== "string") return false;
  return (await storage.procedures.versions({ workspace, procedureId, limit: 1 })).items.length === 0;
}
