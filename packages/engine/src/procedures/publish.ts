import { ProcedoError, versionNameSchema } from "@procedo/contract";
import type { Environment, JsonObject, ProcedureDocument } from "@procedo/contract";
import type { Problem } from "@procedo/procedure";
import type { ProcedureStore } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { OutsideOptions } from "../connections/connections.ts";
import { bodyDigest } from "../journal/chain.ts";
import type { Clock } from "../ports/clock.ts";
import { invalidDocument, type CompileDocument } from "./compile-document.ts";
import { checkProcedureId, type Drafts } from "./drafts.ts";
import { summaryOf, type VersionSummary } from "./read-procedures.ts";
import { setDefault } from "./set-default.ts";

export interface PublishRequest {
  /** @defaultValue the draft of `procedureId` */
  readonly document?: ProcedureDocument | JsonObject;
  /** Needed when no document is given; a document has to name the same one. @defaultValue the document's */
  readonly procedureId?: string;
  /** A short name; immutable once published. */
  readonly version: string;
  /** Where the version becomes the default at once. @defaultValue nowhere, unless it is the procedure's first version */
  readonly defaultIn?: readonly Environment[];
  /** Where a first version becomes the default. @defaultValue `by.environment`, or else "sandbox" */
  readonly environment?: Environment;
  /**
   * What becomes of a document that is there under this name already, exactly so. `accept`: it stays, and becomes the
   * default where it was asked to, so that a program may publish each time it starts. `refuse`: `version_exists`.
   *
   * @defaultValue "accept"
   */
  readonly ifExists?: "accept" | "refuse";
  readonly by: Principal;
}

export interface PublishedVersion extends VersionSummary {
  /** Warnings: with an error nothing is published. */
  readonly problems: readonly Problem[];
  /** The same document was there under this name already. */
  readonly existing: boolean;
}

export interface PublishPorts {
  readonly storage: { readonly procedures: ProcedureStore };
  readonly workspace: string;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly compile: CompileDocument;
  readonly drafts: Pick<Drafts, "find">;
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
  const document = await documentOf(ports, request);
  // A first version becomes a default whatever was asked, and is checked where it does.
  const first = defaultIn.length === 0 && (await isFirst(ports, document));
  const checkedIn = first ? [environment] : defaultIn;
  const compiled = await ports.compile(document, checkedIn, options.outside);
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
  const result = await ports.audit.record(fact, (audit) =>
    procedures.publish({
      version: { workspace, ...summary, document: text },
      defaultIn,
      defaultIfFirst: environment,
      audit,
    }),
  );
  if (result === "published") return { ...summary, problems, existing: false };

  const row = await procedures.version({ workspace, procedureId, version });
  if (row?.document === text && ifExists === "accept") {
    for (const its of defaultIn) {
      const current = await procedures.defaultVersion({ workspace, procedureId, environment: its });
      if (current !== version) await setDefault(ports, { procedureId, version, environment: its, by }, options);
    }
    return { ...summaryOf(row), problems, existing: true };
  }
  throw new ProcedoError(
    "version_exists",
    `Version "${version}" of "${procedureId}" is published already and cannot change. Choose another name.`,
  );
}

/** Answers where a first version becomes the default. */
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
  { document, procedureId }: PublishRequest,
): Promise<ProcedureDocument | JsonObject> {
  if (document !== undefined) {
    if (procedureId !== undefined) checkProcedureId(procedureId, document);
    return document;
  }
  if (procedureId === undefined) {
    throw new ProcedoError(
      "invalid_input",
      "Give a document, or the procedureId of the draft that is to be published.",
    );
  }
  const draft = await drafts.find(procedureId);
  if (draft !== undefined) return draft.document;
  throw new ProcedoError("procedure_not_found", `There is no draft of procedure "${procedureId}". Give a document.`);
}

async function isFirst(
  { storage, workspace }: PublishPorts,
  { procedureId }: { readonly procedureId?: unknown },
): Promise<boolean> {
  if (typeof procedureId !== "string") return false;
  return (await storage.procedures.versions({ workspace, procedureId, limit: 1 })).items.length === 0;
}
