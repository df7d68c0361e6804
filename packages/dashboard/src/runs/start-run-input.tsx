import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { versionOf } from "../api/versions.ts";
import { formField } from "../forms/form-field.ts";
import type { InputMode } from "../forms/input-draft.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StartRunForm } from "./start-run-form.tsx";
import type { EarlierRun } from "./use-start-run.ts";

interface StartRunInputProps {
  readonly procedureId: string;
  readonly name: string;
  readonly version: string;
  readonly earlier: EarlierRun | undefined;
  readonly mode: InputMode;
}

/** Reads the input schema of the version before its form is shown. */
export function StartRunInput({ procedureId, version, earlier, ...rest }: StartRunInputProps): ReactElement {
  const environment = useEnvironment();
  const published = useQuery(versionOf(environment, procedureId, version));
  if (published.error !== null) return <Problem error={published.error} onRetry={() => void published.refetch()} />;
  if (published.data === undefined) return <Skeleton rows={4} />;
  const schema = published.data.document.input ?? { type: "object", properties: {} };
  const field = formField(schema, "Input", true);
  return <StartRunForm {...{ procedureId, version, earlier, ...rest }} field={{ ...field, label: "Input" }} />;
}
