import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { AccessFields, isWithoutAccess, type AccessOf } from "./access-fields.tsx";
import { fieldProblems } from "../api/field-problems.ts";
import { groupsOf } from "./person-facts.ts";

/** Invites a person by their e-mail address. */
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
  const [access, setAccess] = useState<AccessOf>({ sandbox: [], live: [] });
  const [lacksAccess, setLacksAccess] = useState(false);
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
  const problems = fieldProblems(invite.error, ["/email", "/groups"]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setLacksAccess(isWithoutAccess(access));
    if (!isWithoutAccess(access)) invite.mutate();
  };
  return (
    <Dialog title="Invite" isWide onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="E-mail"
          type="email"
          autoComplete="off"
          required
          maxLength={320}
          hint="It names the person in every record, and never changes."
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          problem={problems.of("/email")}
        />
        <AccessFields access={access} onChange={setAccess} />
        <TextField
          label="Groups"
          hint="Roles that reviews ask for, with commas between them: treasury, controlling. Optional."
          value={groups}
          onChange={({ target }) => setGroups(target.value)}
          problem={problems.of("/groups")}
        />
        {lacksAccess && isWithoutAccess(access) && <Alert>Give the person a role in at least one environment.</Alert>}
        {problems.rest !== null && <Problem error={problems.rest} />}
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
