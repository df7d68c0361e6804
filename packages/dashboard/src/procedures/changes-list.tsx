import type { ProcedureDocument } from "@procedo/contract";
import { describeChanges, sentenceOf } from "@procedo/procedure";
import { useMemo, type ReactElement } from "react";
import type { Version } from "../api/models.ts";

/** What changes from one version to another, a sentence each. */
export function ChangesList({ before, after }: { readonly before: Version; readonly after: Version }): ReactElement {
  const sentences = useMemo(
    () => describeChanges(documentOf(before), documentOf(after)).map(sentenceOf),
    [before, after],
  );
  if (sentences.length === 0) return <p className="text-text-2">The documents are the same.</p>;
  return (
    <ol className="flex list-decimal flex-col gap-1.5 pl-6">
      {sentences.map((sentence, index) => (
        <li key={index} className="wrap-anywhere">
          {sentence}
        </li>
      ))}
    </ol>
  );
}

function documentOf({ document }: Version): ProcedureDocument {
  return document as unknown as ProcedureDocument;
}
