import { compareOperations, type OperationChanges } from "../openapi/compare-operations.ts";
import { importDocument } from "../openapi/import-document.ts";
import type { ImportedApi, ImportProblem } from "../openapi/imported-api.ts";
import { connectionOperations, type ReadingSettings } from "./connection-operations.ts";

/** A document, and the settings that affect its operations. Plain data, which can be sent to a thread. */
export interface DocumentVersion {
  readonly text: string;
  readonly settings: ReadingSettings;
}

export interface DocumentRequest extends DocumentVersion {
  /** The operations with which to compare. */
  readonly before?: DocumentVersion;
}

export type DocumentAnswer =
  | {
      readonly ok: true;
      /** The connection's previous operations. */
      readonly api: ImportedApi;
      /** `undefined` when there was nothing to compare. */
      readonly changes: OperationChanges | undefined;
    }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

/** Reads a document into the operations of a connection. Pure. A document of 20 MiB takes seconds. */
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
