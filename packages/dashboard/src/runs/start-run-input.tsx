import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { versionOf } from "../api/versions.ts";
import { formField } from "../forms/form-field.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StartRunForm, type StartRunFormProps } from "./start-run-form.tsx";

type StartRunInputProps = Omit<StartRunFormProps, "field">;

/** Reads the input schema of the version before its form is shown. */
export function StartRunInput({ procedureId, version, ...rest }: StartRunInputProps): ReactElement {
  const environment = useEnvironment();
  const published = useQuery(versionOf(environment, procedureId, version));
  if (published.data === undefined) {
    if (published.error === null) return <Skeleton rows={4} />;
    return <Problem error={published.error} onRetry={() => void published.refetch()} />;
  }
  const schema = published.data.document.input ?? { type: "object", properties: {} };
  const field = formField(schema, "Input", true);
  return <StartRunForm {...{ procedureId, version, ...rest }} field={{ ...field, label: "Input" }} />;
}
