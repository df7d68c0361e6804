import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { AccessFields, groupsOf, type AccessOf } from "./access-fields.tsx";

export function InviteDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (invitation: components["schemas"]["CreatedInvitation"]) => void;
}): ReactElement {
  const queryClient = useQueryClient();
  const [email, setEmail] = useState("");
  const [groups, setGroups] = useState("");
  const [access, setAccess] = useState<AccessOf>({ sandbox: ["viewer"], live: [] });
  const invite = useMutation({
    mutationFn: () => {
      const body = {
        email,
        access: { sandbox: [...access.sandbox], live: [...access.live] },
        groups: groupsOf(groups),
      };
      return answerOf(api.POST("/api/v1/people/invitations", { body }));
    },
    onSuccess: async (invitation) => {
      await queryClient.invalidateQueries({ queryKey: ["person"] });
      onCreated(invitation);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <Dialog title="Invite" isWide onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="E-mail"
          type="email"
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <AccessFields access={access} onChange={setAccess} />
        <TextField
          label="Groups"
          hint="Roles that procedures name, with commas between them: treasury, controlling."
          value={groups}
          onChange={({ target }) => setGroups(target.value)}
        />
        {invite.error !== null && <Problem error={invite.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant="primary" busyLabel={invite.isPending ? "Creating …" : undefined}>
            Create invitation
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
