import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Person } from "../api/models.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CheckboxField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";

/** Deactivates a person, and lists the API keys that act as the person. */
export function DeactivateDialog({
  person,
  onClose,
}: {
  readonly person: Person;
  readonly onClose: () => void;
}): ReactElement {
  const queryClient = useQueryClient();
  const [deletesKeys, setDeletesKeys] = useState(false);
  const deactivate = useMutation({
    mutationFn: () =>
      answerOf(
        api.DELETE("/api/v1/people/{id}", {
          params: { path: { id: person.id }, query: deletesKeys ? { keys: "delete" } : {} },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["person"] }),
  });
  const { data } = deactivate;
  if (data !== undefined) {
    return (
      <Dialog
        title={`${person.name} was deactivated`}
        onClose={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        {data.keys.length === 0 ? (
          <p>No API key acts as this person.</p>
        ) : (
          <>
            <p>{deletesKeys ? "These API keys were deleted:" : "These API keys are refused from now on:"}</p>
            <ul className="list-disc pl-5">
              {data.keys.map(({ id, name }) => (
                <li key={id}>{name}</li>
              ))}
            </ul>
          </>
        )}
      </Dialog>
    );
  }
  return (
    <Dialog
      title={`Deactivate ${person.name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            variant="danger"
            busyLabel={deactivate.isPending ? "Deactivating …" : undefined}
            onClick={() => deactivate.mutate()}
          >
            Deactivate
          </Button>
        </>
      }
    >
      <p>
        {person.email} is signed out and cannot sign in any more. API keys that act as this person are refused. Records
        keep naming the person.
      </p>
      <CheckboxField
        label="Delete these API keys"
        checked={deletesKeys}
        onChange={({ target }) => setDeletesKeys(target.checked)}
      />
      {deactivate.error !== null && <Problem error={deactivate.error} />}
    </Dialog>
  );
}
