import type { Environment } from "@procedo/contract";
import type { NewVersion, ProcedureStore } from "../procedures.ts";
import { assertStorable } from "../storable.ts";
import { append, follows } from "./memory-audit.ts";
import { pageById, pageByTime } from "./page.ts";
import type { MemoryProcedure, MemoryState } from "./state.ts";
import { keyOf } from "./state.ts";

export function memoryProcedures(state: MemoryState): ProcedureStore {
  const find = (workspace: string, procedureId: string): MemoryProcedure | undefined =>
    state.procedures.get(keyOf(workspace, procedureId));

  return {
    async publish({ version, defaultIn, defaultIfFirst, audit }) {
      assertStorable([version, audit]);
      const { workspace, procedureId } = version;
      const known = find(workspace, procedureId);
      if (versionOf(known, version.version) !== undefined) return "version_exists";
      if (!follows(state, workspace, audit)) return "audit_behind";
      const procedure: MemoryProcedure = known ?? { workspace, procedureId, versions: [], defaults: {} };
      const first = procedure.versions.length === 0 && defaultIn.length === 0;
      const environments = new Set(first ? [defaultIfFirst] : defaultIn);
      for (const environment of environments) {
        procedure.defaults = { ...procedure.defaults, [environment]: version.version };
      }
      procedure.versions.push(version);
      state.procedures.set(keyOf(workspace, procedureId), procedure);
      append(state, workspace, audit);
      for (const environment of environments) state.feed.emit({ type: "default_changed", environment });
      return "published";
    },

    async setDefault({ workspace, procedureId, environment, version, audit }) {
      assertStorable(audit);
      const procedure = find(workspace, procedureId);
      if (procedure === undefined || versionOf(procedure, version) === undefined) return "version_not_found";
      if (!follows(state, workspace, audit)) return "audit_behind";
      procedure.defaults = { ...procedure.defaults, [environment]: version };
      append(state, workspace, audit);
      state.feed.emit({ type: "default_changed", environment });
      return "set";
    },

    async version({ workspace, procedureId, version }) {
      return versionOf(find(workspace, procedureId), version);
    },

    async defaultVersion({ workspace, procedureId, environment }) {
      return find(workspace, procedureId)?.defaults[environment satisfies Environment];
    },

    async versions(request) {
      const { workspace, procedureId } = request;
      return pageByTime(
        (find(workspace, procedureId)?.versions ?? []).map((version, number) => ({ version, number })),
        {
          ...request,
          query: ["versions", workspace, procedureId],
          newestFirst: true,
          positionOf: ({ number }) => [0, number],
          itemOf: ({ version: { document: _document, ...summary } }) => summary,
        },
      );
    },

    async list(request) {
      const { workspace } = request;
      const rows = [...state.procedures.values()].filter((procedure) => procedure.workspace === workspace);
      return pageById(rows, {
        ...request,
        query: ["procedures", workspace],
        idOf: ({ procedureId }) => procedureId,
        itemOf: ({ procedureId, versions, defaults }) => ({
          workspace,
          procedureId,
          name: versions.at(-1)?.name ?? procedureId,
          defaults,
        }),
      });
    },
  };
}

function versionOf(procedure: MemoryProcedure | undefined, name: string): NewVersion | undefined {
  return procedure?.versions.find(({ version }) => version === name);
}
