import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import type { Person } from "../api/models.ts";
import { environmentNames } from "../shell/environment.ts";
import { useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CheckboxField } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { keysOfPerson } from "./use-people.ts";

type ApiKey = components["schemas"]["ApiKey"];

/** Deactivates a person. It names the API keys that act as the person, and what happens to them. */
export function DeactivateDialog({
  person,
  onClose,
}: {
  readonly person: Person;
  readonly onClose: () => void;
}): ReactElement {
  const isSelf = useSession().person.id === person.id;
  const queryClient = useQueryClient();
  const keys = useQuery(keysOfPerson(person.email));
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
          <p>No API key acted as this person.</p>
        ) : (
          <>
            <p>{deletesKeys ? "These API keys were deleted:" : "These API keys are refused from now on:"}</p>
            <KeyList keys={data.keys} />
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
            disabled={keys.isPending}
            busyLabel={deactivate.isPending ? "Deactivating …" : undefined}
            onClick={() => deactivate.mutate()}
          >
            Deactivate
          </Button>
        </>
      }
    >
      {isSelf && <Alert tone="review">This is your own account. You are signed out at once.</Alert>}
      <p>
        All sessions of {person.email} end, and the person cannot sign in any more. Records keep naming the person. An
        owner can activate the person again.
      </p>
      {keys.error !== null && <Problem error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && <p>No API key acts as this person.</p>}
      {keys.data !== undefined && keys.data.length > 0 && (
        <>
          <p>These API keys act as this person, and are refused until the person is active again:</p>
          <KeyList keys={keys.data} />
          <CheckboxField
            label="Delete these API keys"
            hint="A deleted key is never accepted again."
            checked={deletesKeys}
            onChange={({ target }) => setDeletesKeys(target.checked)}
          />
        </>
      )}
      {deactivate.error !== null && <Problem error={deactivate.error} />}
    </Dialog>
  );
}

function KeyList({ keys }: { readonly keys: readonly ApiKey[] }): ReactElement {
  return (
    <ul aria-label="API keys" className="list-disc pl-5">
      {keys.map(({ id, name, environment }) => (
        <li key={id} className="wrap-anywhere">
          {name} <span className="text-text-3">({environmentNames[environment]})</span>
        </li>
      ))}
    </ul>
  );
}
