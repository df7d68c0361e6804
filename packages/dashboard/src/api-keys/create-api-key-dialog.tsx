import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { fieldProblems } from "../api/field-problems.ts";
import type { components } from "../api/schema.d.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { environmentNames, useEnvironment, writeLabel } from "../shell/environment.ts";
import { hasAbility, useSession } from "../shell/session.ts";
import { CheckboxField, TextField } from "../ui/field.tsx";
import { allPermissions, permissionWords, type Permission } from "./permission-words.ts";

/** Creates a key that acts as the reader, with at most their permissions. */
export function CreateApiKeyDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (key: components["schemas"]["CreatedApiKey"]) => void;
}): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const queryClient = useQueryClient();
  const own = allPermissions.filter((one) => hasAbility(session, environment, one));
  const [name, setName] = useState("");
  const [permissions, setPermissions] = useState<readonly Permission[]>(own.filter((one) => one === "run"));
  const [groups, setGroups] = useState<readonly string[]>([]);
  const decides = permissions.includes("review");
  const create = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/api-keys", {
          params: { query: { environment } },
          body: { name, environment, permissions: [...permissions], roles: decides ? [...groups] : [] },
        }),
      ),
    onSuccess: async (key) => {
      onCreated(key);
      await queryClient.invalidateQueries({ queryKey: ["key"] });
    },
    // Nothing keeps the key but the page.
    gcTime: 0,
  });
  const problems = fieldProblems(create.error, ["/name"]);
  return (
    <FormDialog
      title={`New API key for ${environmentNames[environment]}`}
      label={writeLabel("Create API key", environment)}
      busyLabel={create.isPending ? "Creating …" : undefined}
      isDirty={name !== ""}
      error={problems.rest}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={200}
        autoComplete="off"
        hint="For people: which program uses the key."
        value={name}
        onChange={({ target }) => setName(target.value)}
        problem={problems.of("/name")}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">Permissions beside reading</legend>
        {allPermissions.map((permission) => {
          const { name: label, hint } = permissionWords[permission];
          const isOwn = own.includes(permission);
          return (
            <CheckboxField
              key={permission}
              label={label}
              hint={isOwn ? hint : `${hint} You do not have this permission in ${environmentNames[environment]}.`}
              disabled={!isOwn}
              checked={permissions.includes(permission)}
              onChange={({ target }) => setPermissions(toggled(permissions, permission, target.checked))}
            />
          );
        })}
      </fieldset>
      {decides && session.person.groups.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">Decides reviews of your groups</legend>
          {session.person.groups.map((group) => (
            <CheckboxField
              key={group}
              label={group}
              checked={groups.includes(group)}
              onChange={({ target }) => setGroups(toggled(groups, group, target.checked))}
            />
          ))}
        </fieldset>
      )}
      <p className="text-text-2">
        The key acts as you: records name <span className="wrap-anywhere">{session.person.email}</span>. It is refused
        while you are deactivated.
      </p>
    </FormDialog>
  );
}

/** A list with or without one of its items. */
function toggled<T>(list: readonly T[], item: T, isIn: boolean): readonly T[] {
  const others = list.filter((one) => one !== item);
  return isIn ? [...others, item] : others;
}
