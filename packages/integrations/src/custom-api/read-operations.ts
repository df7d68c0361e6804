import { compareOperations, type OperationChanges } from "../openapi/compare-operations.ts";
import { importDocument } from "../openapi/import-document.ts";
import type { ImportedApi, ImportProblem } from "../openapi/imported-api.ts";
import { connectionOperations, type ReadingSettings } from "./connection-operations.ts";

/** A document, and the settings of the connection that its operations are read for. Plain data: it crosses threads. */
export interface DocumentVersion {
  readonly text: string;
  readonly settings: ReadingSettings;
}

export interface DocumentRequest extends DocumentVersion {
  /** What the operations are compared with. */
  readonly before?: DocumentVersion;
}

export type DocumentAnswer =
  | {
      readonly ok: true;
      /** Its operations are the connection's. */
      readonly api: ImportedApi;
      /** `undefined`: there was nothing to compare with. */
      readonly changes: OperationChanges | undefined;
    }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

/** Reads a document into the operations of a connection. Pure; takes seconds for a document of 20 MiB. */
export function readOperations({ text, settings, before }: DocumentRequest): DocumentAnswer {
  const imported = importDocument(text);
  if (!imported.ok) return imported;
  const operations = connectionOperations(imported.api, settings);
  const api = { ...imported.api, operations };
  if (before === undefined) return { ok: true, api, changes: undefined };
  const former = before.text === text ? imported : importDocument(before.text);
  const formerOperations = former.ok ? connectionOperations(former.api, before.settings) : [];
  return { ok: true, api, changes: compareOperations(formerOperations, operations) };
}
