import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Person } from "../api/models.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { AccessFields, type AccessOf } from "./access-fields.tsx";
import { fieldProblems } from "../api/field-problems.ts";
import { groupsOf, isSameSet } from "./person-facts.ts";

/** Changes a person, activates one who was deactivated, and ends their sessions. */
export function EditPersonDialog({
  person,
  onClose,
}: {
  readonly person: Person;
  readonly onClose: () => void;
}): ReactElement {
  const isSelf = useSession().person.id === person.id;
  const queryClient = useQueryClient();
  const showToast = useToast();
  const [name, setName] = useState(person.name);
  const [groups, setGroups] = useState(person.groups.join(", "));
  const [access, setAccess] = useState<AccessOf>(person.access);
  // Fields that stay as they are are left out: another owner may have changed them meanwhile.
  const changedAccess = {
    ...(!isSameSet(access.sandbox, person.access.sandbox) && { sandbox: [...access.sandbox] }),
    ...(!isSameSet(access.live, person.access.live) && { live: [...access.live] }),
  };
  const isRegrouped = !isSameSet(groupsOf(groups), person.groups);
  const endsSessions = Object.keys(changedAccess).length > 0 || isRegrouped;
  const update = useMutation({
    mutationFn: () =>
      answerOf(
        api.PATCH("/api/v1/people/{id}", {
          params: { path: { id: person.id } },
          body: {
            ...(name !== person.name && { name }),
            ...(Object.keys(changedAccess).length > 0 && { access: changedAccess }),
            ...(isRegrouped && { groups: groupsOf(groups) }),
            ...(!person.isActive && { isActive: true as const }),
          },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["person"] });
      onClose();
    },
  });
  const signOut = useMutation({
    mutationFn: () => answerOf(api.DELETE("/api/v1/people/{id}/sessions", { params: { path: { id: person.id } } })),
    onSuccess: () => showToast(`All sessions of ${person.name} have ended.`),
  });
  const problems = fieldProblems(update.error, ["/name", "/groups"]);
  return (
    <FormDialog
      title={`Edit ${person.name}`}
      isWide
      label={person.isActive ? "Save" : "Save and activate"}
      busyLabel={update.isPending ? "Saving …" : undefined}
      isDirty={name !== person.name || endsSessions}
      error={problems.rest}
      aside={
        person.isActive &&
        !isSelf && (
          <Button
            variant="quiet"
            className="mr-auto"
            busyLabel={signOut.isPending ? "Ending …" : undefined}
            onClick={() => signOut.mutate()}
          >
            End sessions
          </Button>
        )
      }
      onSubmit={() => update.mutate()}
      onClose={onClose}
    >
      <p className="text-text-2 wrap-anywhere">{person.email}</p>
      <TextField
        label="Name"
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
        problem={problems.of("/name")}
      />
      <AccessFields access={access} onChange={setAccess} />
      <TextField
        label="Groups"
        hint="Roles that reviews ask for, with commas between them. Optional."
        value={groups}
        onChange={({ target }) => setGroups(target.value)}
        problem={problems.of("/groups")}
      />
      {person.isActive && endsSessions && (
        <p role="status" className="rounded-panel bg-review-bg px-3 py-2 text-review">
          {isSelf
            ? "You are signed out by this change, and sign in with your new access."
            : `${person.name} is signed out by this change, and signs in with the new access.`}
        </p>
      )}
      {!person.isActive && (
        <Alert tone="review">
          {person.name} can sign in again once this is saved, and API keys that act as this person are accepted.
        </Alert>
      )}
      {signOut.error !== null && <Problem error={signOut.error} />}
    </FormDialog>
  );
}
