import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { newDocument } from "../values/new-document.ts";
import { procedureIdFor, whyNotProcedureId } from "./procedure-id.ts";

/** Begins a procedure as a draft, and opens it in the editor. */
export function NewProcedureDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [typedId, setTypedId] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const procedureId = typedId ?? procedureIdFor(name);
  const create = useMutation({
    mutationFn: async () => {
      if (await exists(procedureId)) return "exists";
      await answerOf(
        api.PUT("/api/v1/procedures/{procedureId}/draft", {
          params: { path: { procedureId }, query: { environment } },
          body: { document: { ...newDocument(procedureId, name.trim()) }, revision: 0 },
        }),
      );
      return "created";
    },
    onSuccess: async (outcome) => {
      if (outcome === "exists") return;
      await queryClient.invalidateQueries({ queryKey: ["procedure"] });
      await navigate({
        to: "/$environment/procedures/$procedureId/edit",
        params: { environment, procedureId },
        ignoreBlocker: true,
      });
    },
  });
  const exists = async (id: string): Promise<boolean> => {
    try {
      const path = { procedureId: id };
      await answerOf(api.GET("/api/v1/procedures/{procedureId}", { params: { path, query: { environment } } }));
      return true;
    } catch (error) {
      if (hasCode(error, "procedure_not_found")) return false;
      throw error;
    }
  };
  const nameProblem = isAsked && name.trim() === "" ? "Enter a name." : undefined;
  const isTaken = create.data === "exists" || hasCode(create.error, "revision_conflict");
  const idProblem = isTaken ? "There is a procedure with this id. Choose another one." : whyNotProcedureId(procedureId);
  const submit = (): void => {
    setAsked(true);
    if (name.trim() !== "" && whyNotProcedureId(procedureId) === undefined) create.mutate();
  };
  return (
    <FormDialog
      title="New procedure"
      label="Create"
      busyLabel={create.isPending ? "Creating …" : undefined}
      isDirty={name !== "" || typedId !== undefined}
      noValidate
      error={isTaken ? null : create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="The purpose of the procedure, for people."
        maxLength={200}
        autoComplete="off"
        value={name}
        onChange={({ target }) => {
          setName(target.value);
          create.reset();
        }}
        problem={nameProblem}
      />
      <TextField
        label="Id"
        hint="Names the procedure in addresses, and never changes."
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
        value={procedureId}
        onChange={({ target }) => {
          setTypedId(target.value);
          create.reset();
        }}
        problem={isAsked || typedId !== undefined ? idProblem : undefined}
      />
      {create.error !== null && !isTaken && <Problem error={create.error} />}
    </FormDialog>
  );
}
