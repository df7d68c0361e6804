import type { ReactElement } from "react";
import type { AccessRole, Environment } from "../api/models.ts";
import { environmentNames } from "../shell/environment.ts";
import { CheckboxField } from "../ui/field.tsx";

export type AccessOf = Readonly<Record<Environment, readonly AccessRole[]>>;

const roles: readonly { readonly role: AccessRole; readonly name: string; readonly hint: string }[] = [
  { role: "viewer", name: "Viewer", hint: "Sees runs, reviews and procedures." },
  { role: "reviewer", name: "Reviewer", hint: "Decides reviews." },
  { role: "builder", name: "Builder", hint: "Builds procedures and starts runs." },
  { role: "owner", name: "Owner", hint: "What a builder does, and invites people." },
];

/** The roles of a person in each environment. */
export function AccessFields({
  access,
  onChange,
}: {
  readonly access: AccessOf;
  readonly onChange: (access: AccessOf) => void;
}): ReactElement {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(["sandbox", "live"] as const).map((environment) => (
        <fieldset key={environment} className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">{environmentNames[environment]} access</legend>
          {roles.map(({ role, name, hint }) => (
            <CheckboxField
              key={role}
              label={name}
              hint={hint}
              checked={access[environment].includes(role)}
              onChange={({ target }) => {
                const others = access[environment].filter((one) => one !== role);
                onChange({ ...access, [environment]: target.checked ? [...others, role] : others });
              }}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

/** Groups from a text with commas between them. */
export function groupsOf(text: string): string[] {
  return text
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "");
}
