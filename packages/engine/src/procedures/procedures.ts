import { ProcedoError, versionNameSchema, type Environment, type ProcedureDocument } from "@procedo/contract";
import { compileProcedure, type Problem } from "@procedo/procedure";
import type { Page, PageRequest, ProcedureRow, Storage, VersionSummary } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { bodyDigest } from "../journal/chain.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Clock } from "../ports/clock.ts";
import { surroundingsOf } from "./surroundings.ts";
import { versionNotFound } from "./versions.ts";

export interface PublishRequest {
  readonly document: ProcedureDocument;
  /** A short name; immutable once published. */
  readonly version: string;
  /** Where the version becomes the default at once. @defaultValue nowhere, unless it is the procedure's first version */
  readonly defaultIn?: readonly Environment[];
  /** Where a first version becomes the default. @defaultValue "sandbox" */
  readonly environment?: Environment;
  readonly by: Principal;
}

/** Procedures and their published versions: of the workspace, with a default for each environment. */
export interface Procedures {
  /** All problems of a document, as publishing it in these environments would find them. */
  validate(request: {
    readonly document: unknown;
    /** @defaultValue none: missing connections are warnings */
    readonly environments?: readonly Environment[];
  }): Promise<readonly Problem[]>;
  /**
   * Publishes a version. Answers the warnings. The same document under the same name again changes nothing, so that a
   * program may publish each time it starts.
   *
   * @throws ProcedoError `invalid_document` with every problem in `details`, `version_exists`
   */
  publish(request: PublishRequest): Promise<readonly Problem[]>;
  /**
   * Makes a version the default, after checking its connections in that environment.
   *
   * @throws ProcedoError `version_not_found`, `invalid_document`
   */
  setDefault(request: {
    readonly procedureId: string;
    readonly environment: Environment;
    readonly version: string;
    readonly by: Principal;
  }): Promise<void>;
  /** @throws ProcedoError `version_not_found` */
  document(request: { readonly procedureId: string; readonly version: string }): Promise<ProcedureDocument>;
  versions(request: { readonly procedureId: string } & PageRequest): Promise<Page<VersionSummary>>;
  list(request: PageRequest): Promise<Page<ProcedureRow>>;
}

export interface ProcedurePorts {
  readonly storage: Pick<Storage, "procedures">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly resolveConnection: ResolveConnection;
}

export function createProcedures(ports: ProcedurePorts): Procedures {
  const { storage, workspace } = ports;

  /** The graver finding of all environments for each place. */
  const compile = async (document: unknown, environments: readonly Environment[]) => {
    const surroundings = await surroundingsOf(document, environments, ports.resolveConnection);
    return compileProcedure(document, surroundings);
  };

  const read = async (procedureId: string, version: string): Promise<ProcedureDocument> => {
    const row = await storage.procedures.version({ workspace, procedureId, version });
    if (row === undefined) throw versionNotFound(procedureId, version);
    return JSON.parse(row.document) as ProcedureDocument;
  };

  /** Whether publishing this document makes the procedure's first version, which becomes a default whatever was asked. */
  const isFirst = async (document: ProcedureDocument): Promise<boolean> => {
    const { procedureId } = document as Partial<ProcedureDocument>;
    if (typeof procedureId !== "string") return false;
    return (await storage.procedures.versions({ workspace, procedureId, limit: 1 })).items.length === 0;
  };

  const isPublished = async (document: ProcedureDocument, version: string): Promise<boolean> => {
    const { procedureId } = document;
    const row = await storage.procedures.version({ workspace, procedureId, version });
    return row?.document === JSON.stringify(document);
  };

  return {
    validate: async ({ document, environments = [] }) => (await compile(document, environments)).problems,
    publish: async ({ document, version, defaultIn = [], environment = "sandbox", by }) => {
      authorize(by, "manage");
      const name = versionNameSchema.safeParse(version);
      if (!name.success) {
        throw new ProcedoError(
          "invalid_input",
          `The version name "${version}" ${name.error.issues[0]?.message ?? ""}.`,
        );
      }
      const first = await isFirst(document);
      const checkedIn = first && defaultIn.length === 0 ? [environment] : defaultIn;
      const compiled = await compile(document, checkedIn);
      if (!compiled.ok) throw invalidDocument(compiled.problems);
      const { procedureId } = compiled.procedure.document;
      const text = JSON.stringify(compiled.procedure.document);
      const result = await ports.audit.record(
        {
          ...actor(by),
          action: "procedure.published",
          subject: `${procedureId}@${version}`,
          details: { defaultIn: [...checkedIn], digest: bodyDigest(text) },
        },
        (audit) =>
          storage.procedures.publish({
            version: {
              workspace,
              procedureId,
              version,
              name: compiled.procedure.document.name,
              document: text,
              publishedBy: by.person,
              publishedAtMs: ports.clock.now(),
            },
            defaultIn: checkedIn,
            defaultIfFirst: environment,
            audit,
          }),
      );
      if (result === "version_exists" && !(await isPublished(compiled.procedure.document, version))) {
        throw new ProcedoError(
          "version_exists",
          `Version "${version}" of "${procedureId}" is published already and cannot change. Choose another name.`,
        );
      }
      return compiled.problems;
    },
    setDefault: async ({ procedureId, environment, version, by }) => {
      authorize(by, "manage", environment);
      const compiled = await compile(await read(procedureId, version), [environment]);
      if (!compiled.ok) throw invalidDocument(compiled.problems);
      const fact = {
        ...actor(by),
        action: "procedure.default_set",
        subject: `${procedureId}@${version}`,
        details: environment,
      };
      const result = await ports.audit.record(fact, (audit) =>
        storage.procedures.setDefault({ workspace, procedureId, environment, version, audit }),
      );
      if (result === "version_not_found") throw versionNotFound(procedureId, version);
    },
    document: ({ procedureId, version }) => read(procedureId, version),
    versions: (request) => storage.procedures.versions({ workspace, ...request }),
    list: (request) => storage.procedures.list({ workspace, ...request }),
  };
}

function invalidDocument(problems: readonly Problem[]): ProcedoError {
  const errors = problems.filter(({ severity }) => severity === "error");
  const count = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
  return new ProcedoError(
    "invalid_document",
    `The procedure cannot be published: ${count}. The first: ${errors[0]?.message ?? ""}`,
    {
      details: errors.map(({ path, message }) => ({ path, message })),
    },
  );
}
