import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Person } from "../api/models.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { AccessFields, groupsOf, type AccessOf } from "./access-fields.tsx";

/** Changes a person, and activates one who was deactivated. */
export function EditPersonDialog({
  person,
  onClose,
}: {
  readonly person: Person;
  readonly onClose: () => void;
}): ReactElement {
  const queryClient = useQueryClient();
  const [name, setName] = useState(person.name);
  const [groups, setGroups] = useState(person.groups.join(", "));
  const [access, setAccess] = useState<AccessOf>(person.access);
  const update = useMutation({
    mutationFn: () =>
      answerOf(
        api.PATCH("/api/v1/people/{id}", {
          params: { path: { id: person.id } },
          body: {
            name,
            access: { sandbox: [...access.sandbox], live: [...access.live] },
            groups: groupsOf(groups),
            ...(!person.isActive && { isActive: true as const }),
          },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["person"] });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    update.mutate();
  };
  return (
    <Dialog title={`Edit ${person.name}`} isWide onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <AccessFields access={access} onChange={setAccess} />
        <TextField
          label="Groups"
          hint="A change of access or groups ends the person's sessions."
          value={groups}
          onChange={({ target }) => setGroups(target.value)}
        />
        {update.error !== null && <Problem error={update.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant="primary" busyLabel={update.isPending ? "Saving …" : undefined}>
            {person.isActive ? "Save" : "Save and activate"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
