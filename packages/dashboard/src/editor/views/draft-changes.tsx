import type { JsonObject } from "@procedo/contract";
import type { ReactElement } from "react";
import { ChangesList } from "../../changes/changes-list.tsx";
import { readDocument } from "../document/read-document.ts";

/** The changes between two drafts, as far as both have the shape of a document. */
export function DraftChanges({
  before,
  after,
}: {
  readonly before: JsonObject;
  readonly after: JsonObject;
}): ReactElement {
  const [was, is] = [readDocument(before), readDocument(after)];
  if (was === undefined || is === undefined) {
    return <p className="text-text-2">The changes of this draft cannot be listed. Open it as JSON.</p>;
  }
  return <ChangesList before={was} after={is} />;
}
