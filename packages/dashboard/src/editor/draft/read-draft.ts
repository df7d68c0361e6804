import type { DocumentProblem, JsonObject } from "@procedo/contract";
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client.ts";
import type { Environment, Procedure } from "../../api/models.ts";
import { oneKey } from "../../api/query-keys.ts";
import { documentOf } from "../../api/versions.ts";
import { newDocument } from "../../values/new-document.ts";
import type { StoredDraft } from "./draft-state.ts";

/** A procedure, with the draft that the editor opens. */
export interface EditedProcedure {
  readonly procedure: Procedure;
  readonly stored: StoredDraft;
}

/** The draft of a procedure. Without one, the document of the newest version, from which a draft begins. */
export function editedProcedure(environment: Environment, procedureId: string) {
  return queryOptions({
    queryKey: oneKey("procedure", environment, procedureId, "edited"),
    queryFn: async (): Promise<EditedProcedure> => {
      const path = { procedureId };
      const procedure = await answerOf(
        api.GET("/api/v1/procedures/{procedureId}", { params: { path, query: { environment } } }),
      );
      const { draft, versions } = procedure;
      if (draft !== undefined) {
        const { revision, document, by, updatedAt } = draft;
        return { procedure, stored: { revision, document: document as JsonObject, by, savedAt: updatedAt } };
      }
      const version = versions[0]?.version ?? "";
      const newest = await answerOf(
        api.GET("/api/v1/procedures/{procedureId}/versions/{version}", {
          params: { path: { procedureId, version }, query: { environment } },
        }),
      );
      const { publishedBy: by, publishedAt: savedAt } = newest;
      return { procedure, stored: { revision: 0, document: documentOf(newest) as unknown as JsonObject, by, savedAt } };
    },
    // An editor that opens again begins with the present draft, not with the one that it opened before.
    gcTime: 0,
  });
}

/** The draft of a procedure that was discarded before it had a version: the next save begins it anew. */
export function noDraft(procedureId: string): StoredDraft {
  return { revision: 0, document: newDocument(procedureId, procedureId) as unknown as JsonObject };
}

/** The answer to a saved draft. */
export interface SavedDraft {
  readonly revision: number;
  readonly problems: readonly DocumentProblem[];
}

/** Replaces the draft of a revision. @throws ApiError `revision_conflict` if the draft has another one */
export async function saveDraft(
  environment: Environment,
  procedureId: string,
  { document, revision }: { readonly document: JsonObject; readonly revision: number },
): Promise<SavedDraft> {
  return await answerOf(
    api.PUT("/api/v1/procedures/{procedureId}/draft", {
      params: { path: { procedureId }, query: { environment } },
      body: { document, revision },
    }),
  );
}

/** The problems that a document would have if it were published in the environment. */
export async function problemsOf(
  environment: Environment,
  procedureId: string,
  document: JsonObject,
): Promise<readonly DocumentProblem[]> {
  const { problems } = await answerOf(
    api.POST("/api/v1/procedures/{procedureId}/validate", {
      params: { path: { procedureId }, query: { environment } },
      body: { document },
    }),
  );
  return problems;
}
