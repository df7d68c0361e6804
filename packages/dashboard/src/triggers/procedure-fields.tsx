import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { procedureChoices, procedureOptions } from "../api/procedure-choices.ts";
import { newestVersions } from "../api/versions.ts";
import { useEnvironment } from "../shell/environment.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import type { DraftFieldsProps } from "./draft-fields.ts";

/** The name of a trigger, and the procedure that it runs. */
export function ProcedureFields({ draft, onChange, problemOf }: DraftFieldsProps): ReactElement {
  const environment = useEnvironment();
  const procedures = useQuery(procedureChoices(environment)).data ?? [];
  const { procedureId, version } = draft;
  const versions = useQuery({ ...newestVersions(environment, procedureId), enabled: procedureId !== "" }).data?.data;
  const standard = procedures.find((one) => one.procedureId === procedureId)?.defaults[environment];
  const isListed = procedures.some((one) => one.procedureId === procedureId);
  const names = new Set([...(versions ?? []).map((one) => one.version), ...(version === "" ? [] : [version])]);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Name"
        className="sm:col-span-2"
        required
        maxLength={200}
        placeholder="Due invoices each working day"
        value={draft.name}
        onChange={({ target }) => onChange({ name: target.value })}
        problem={problemOf("/name")}
      />
      <SelectField
        label="Procedure"
        required
        value={procedureId}
        options={[
          ...(isListed ? [] : [{ value: procedureId, label: procedureId === "" ? "Choose …" : procedureId }]),
          ...procedureOptions(procedures),
        ]}
        onChange={({ target }) => onChange({ procedureId: target.value, version: "" })}
        problem={problemOf("/procedureId")}
      />
      <SelectField
        label="Version"
        value={version}
        options={[
          { value: "", label: standard === undefined ? "The default" : `The default (now ${standard})` },
          ...[...names].map((value) => ({ value, label: value })),
        ]}
        onChange={({ target }) => onChange({ version: target.value })}
        problem={problemOf("/version")}
      />
    </div>
  );
}
