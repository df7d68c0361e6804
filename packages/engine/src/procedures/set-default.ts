import type { Environment, ProcedureDocument } from "@procedo/contract";
import type { Problem } from "@procedo/procedure";
import type { ProcedureStore } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { OutsideOptions } from "../egress/outside.ts";
import { invalidDocument, type CompileDocument } from "./compile-document.ts";
import { versionNotFound } from "./versions.ts";

export interface SetDefaultRequest {
  readonly procedureId: string;
  readonly environment: Environment;
  readonly version: string;
  readonly by: Principal;
}

export interface ChosenDefault {
  /** Warnings only: an error leaves the default unchanged. */
  readonly problems: readonly Problem[];
}

export interface SetDefaultPorts {
  readonly storage: { readonly procedures: ProcedureStore };
  readonly workspace: string;
  readonly audit: AuditLog;
  readonly compile: CompileDocument;
}

/** See `Procedures.setDefault`. */
export async function setDefault(
  ports: SetDefaultPorts,
  request: SetDefaultRequest,
  { outside }: OutsideOptions = {},
): Promise<ChosenDefault> {
  const { workspace } = ports;
  const { procedures } = ports.storage;
  const { procedureId, environment, version, by } = request;
  authorize(by, "manage", environment);
  const row = await procedures.version({ workspace, procedureId, version });
  if (row === undefined) throw versionNotFound(procedureId, version);
  const document = JSON.parse(row.document) as ProcedureDocument;
  const compiled = await ports.compile(document, { defaultIn: [environment], reach: [environment] }, outside);
  if (!compiled.ok) throw invalidDocument(compiled.problems);
  const fact = {
    ...actor(by),
    action: "procedure.default_set",
    subject: `${procedureId}@${version}`,
    details: environment,
  };
  const result = await ports.audit.record(fact, (audit) =>
    procedures.setDefault({ workspace, procedureId, environment, version, audit }),
  );
  if (result === "version_not_found") throw versionNotFound(procedureId, version);
  return { problems: compiled.problems };
}
