import type { DocumentProblem, JsonObject, JsonValue } from "@procedo/contract";
import type { ReactElement } from "react";
import { documentPlace } from "../typing/typed-texts.ts";
import { JsonCode } from "./json-code.tsx";

/** The whole draft as text. A text that is no JSON, or that is another procedure, changes nothing. */
export function JsonDocument({
  draft,
  procedureId,
  problems,
  opened,
  onChange,
  onEnd,
}: {
  readonly draft: JsonObject;
  readonly procedureId: string;
  readonly problems: readonly DocumentProblem[];
  readonly opened: DocumentProblem | undefined;
  readonly onChange: (draft: JsonObject) => void;
  readonly onEnd: () => void;
}): ReactElement {
  return (
    <JsonCode
      place={documentPlace}
      label="Document as JSON"
      hint="Changes are saved as soon as the text is valid JSON."
      rows={32}
      value={draft}
      whyNot={(value) => {
        const { procedureId: named } = value as { readonly procedureId?: JsonValue };
        return named === procedureId ? undefined : `“procedureId” has to stay “${procedureId}”.`;
      }}
      onChange={onChange}
      onEnd={onEnd}
      problems={problems}
      opened={opened}
    />
  );
}
