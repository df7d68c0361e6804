import type { ReactElement } from "react";
import type { AccessRole, Environment } from "../api/models.ts";
import { environmentNames } from "../shell/environment.ts";
import { CheckboxField } from "../ui/field.tsx";
import { roleNames } from "../values/roles.ts";

export type AccessOf = Readonly<Record<Environment, readonly AccessRole[]>>;

const roles: readonly { readonly role: AccessRole; readonly hint: string }[] = [
  { role: "viewer", hint: "Sees runs, reviews and procedures." },
  { role: "reviewer", hint: "Decides reviews." },
  { role: "builder", hint: "Builds procedures and starts runs." },
  {
    role: "owner",
    hint: "Does what a builder does, and with both environments administers people. Decides no reviews.",
  },
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
        <fieldset key={environment} className="rounded-panel border border-hairline px-3 pt-1 pb-3">
          <legend className="px-1 font-medium">{environmentNames[environment]} access</legend>
          <div className="flex flex-col gap-2">
            {roles.map(({ role, hint }) => (
              <CheckboxField
                key={role}
                label={roleNames[role]}
                hint={hint}
                checked={access[environment].includes(role)}
                onChange={({ target }) => {
                  const others = access[environment].filter((one) => one !== role);
                  onChange({ ...access, [environment]: target.checked ? [...others, role] : others });
                }}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

/** Whether the person would have no role in any environment. */
export function isWithoutAccess({ sandbox, live }: AccessOf): boolean {
  return sandbox.length === 0 && live.length === 0;
}
