import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Alert } from "../ui/problem.tsx";
import { isSame } from "../values/is-same.ts";
import { AccessFields, isWithoutAccess, type AccessOf } from "./access-fields.tsx";
import { fieldProblems } from "../api/field-problems.ts";
import { groupsOf } from "./person-facts.ts";

const noAccess: AccessOf = { sandbox: [], live: [] };

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
  const [access, setAccess] = useState(noAccess);
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
  const submit = (): void => {
    setLacksAccess(isWithoutAccess(access));
    if (!isWithoutAccess(access)) invite.mutate();
  };
  return (
    <FormDialog
      title="Invite"
      isWide
      label="Create invitation"
      busyLabel={invite.isPending ? "Creating …" : undefined}
      isDirty={email !== "" || groups !== "" || !isSame(access, noAccess)}
      error={problems.rest}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
