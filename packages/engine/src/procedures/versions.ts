import { environments, ProcedoError, type Environment, type ProcedureDocument } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import { loadProcedure, type CompiledProcedure } from "@procedo/procedure";
import type { Storage } from "@procedo/storage";

/** Finds the compiled version that a run executes. */
export interface Versions {
  /**
   * Finds the named version, or the environment's default version.
   *
   * @throws ProcedoError `procedure_not_found`, `version_not_found`
   */
  pick(procedureId: string, environment: Environment, version: string | undefined): Promise<PickedVersion>;
  /** @throws ProcedoError `version_not_found` */
  load(procedureId: string, version: string): Promise<CompiledProcedure>;
  /** Forgets the default versions of one environment, or of both. */
  forget(environment?: Environment): void;
}

export interface PickedVersion {
  readonly version: string;
  readonly procedure: CompiledProcedure;
}

/** Compiled versions in the cache. */
const maxKept = 500;

export function createVersions(ports: {
  readonly storage: Pick<Storage, "procedures">;
  readonly workspace: string;
}): Versions {
  const { storage, workspace } = ports;
  const compiled = new LruCache<string, CompiledProcedure>(maxKept);
  const defaults = { sandbox: noDefaults(), live: noDefaults() };

  const load = async (procedureId: string, version: string): Promise<CompiledProcedure> => {
    const key = versionKey(procedureId, version);
    const kept = compiled.get(key);
    if (kept !== undefined) return kept;
    const row = await storage.procedures.version({ workspace, procedureId, version });
    if (row === undefined) throw versionNotFound(procedureId, version);
    const procedure = loadProcedure(JSON.parse(row.document) as ProcedureDocument);
    compiled.set(key, procedure);
    return procedure;
  };

  const defaultVersion = async (procedureId: string, environment: Environment): Promise<string> => {
    const known = defaults[environment].get(procedureId);
    if (known !== undefined) return known;
    const into = defaults[environment];
    const version = await storage.procedures.defaultVersion({ workspace, procedureId, environment });
    if (version === undefined) {
      const message = `Procedure "${procedureId}" has no default version in ${environment}. Publish one or name a version.`;
      throw new ProcedoError("procedure_not_found", message);
    }
    into.set(procedureId, version);
    return version;
  };

  return {
    load,
    pick: async (procedureId, environment, version) => {
      const name = version ?? (await defaultVersion(procedureId, environment));
      return { version: name, procedure: await load(procedureId, name) };
    },
    forget: (environment) => {
      // A new map: a read of storage that is under way fills the old one.
      for (const one of environment === undefined ? environments : [environment]) defaults[one] = noDefaults();
    },
  };
}

function versionKey(procedureId: string, version: string): string {
  return `${procedureId}@${version}`;
}

/** An empty cache of default versions, by procedure. */
function noDefaults(): Map<string, string> {
  return new Map();
}

export function versionNotFound(procedureId: string, version: string): ProcedoError {
  return new ProcedoError(
    "version_not_found",
    `There is no version "${version}" of procedure "${procedureId}". List its versions, or publish this one.`,
  );
}
