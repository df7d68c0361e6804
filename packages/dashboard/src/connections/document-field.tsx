import { useMutation } from "@tanstack/react-query";
import { useRef, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { CodeArea, type CodeAreaHandle } from "../ui/code-area.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { RadioGroup } from "../ui/radio-group.tsx";
import { specOf, type DocumentDraft } from "./connection-draft.ts";
import { DocumentLook } from "./document-look.tsx";

const sources = [
  { value: "text", label: "Paste a document" },
  { value: "url", label: "Fetch from an address" },
] as const;
const replacements = [
  { value: "kept", label: "Keep the document" },
  { value: "text", label: "Edit or replace the document" },
  { value: "url", label: "Replace it from an address" },
] as const;

/** The OpenAPI document of a Custom API: pasted or fetched, and looked at before anything is saved. */
export function DocumentField({
  document,
  problem,
  isNew,
  onChange,
}: {
  readonly document: DocumentDraft;
  readonly problem: string | undefined;
  /** Whether there is no document yet that could be kept. */
  readonly isNew: boolean;
  readonly onChange: (document: DocumentDraft) => void;
}): ReactElement {
  const environment = useEnvironment();
  const area = useRef<CodeAreaHandle>(null);
  const look = useMutation({
    mutationFn: (spec: NonNullable<ReturnType<typeof specOf>>) =>
      answerOf(api.POST("/api/v1/connections/preview", { params: { query: { environment } }, body: { spec } })),
  });
  const { source } = document;
  const spec = specOf(document);
  const looked = look.data;
  const isOutdated = looked !== undefined && JSON.stringify(look.variables) !== JSON.stringify(spec);
  const lines = isOutdated ? [] : (looked?.problems.flatMap(({ line }) => line ?? []) ?? []);
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        legend="OpenAPI document"
        value={source}
        options={isNew ? sources : replacements}
        onChange={(value) => onChange({ ...document, source: value as DocumentDraft["source"] })}
      />
      {source === "text" && (
        <CodeArea
          ref={area}
          label="Document"
          hint="OpenAPI 3.0 or Swagger 2.0, as JSON or YAML."
          value={document.text}
          problem={problem}
          markedLines={lines}
          onChange={(text) => onChange({ ...document, text })}
        />
      )}
      {source === "url" && (
        <TextField
          label="Address"
          type="url"
          autoComplete="off"
          hint="The document is fetched once, when the connection is saved."
          value={document.url}
          problem={problem}
          onChange={({ target }) => onChange({ ...document, url: target.value })}
        />
      )}
      {source !== "kept" && (
        <Button
          className="self-start"
          disabled={spec === undefined}
          busyLabel={look.isPending ? "Reading …" : undefined}
          onClick={() => spec !== undefined && look.mutate(spec)}
        >
          Look at it
        </Button>
      )}
      <div role="status" aria-label="Document" className="flex flex-col gap-4 empty:hidden">
        {look.error !== null && <Problem error={look.error} />}
        {looked !== undefined && source !== "kept" && (
          <DocumentLook
            looked={looked}
            isOutdated={isOutdated}
            onOpen={source === "text" && !isOutdated ? (place) => area.current?.goTo(place) : undefined}
          />
        )}
      </div>
    </div>
  );
}
