import type { ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { environmentNames } from "../shell/environment.ts";
import { environmentsOf, useSession } from "../shell/session.ts";
import { rolesText } from "../values/roles.ts";

/** Name, roles and groups of the person. An owner changes them. */
export function AccessList(): ReactElement {
  const session = useSession();
  const { person, access } = session;
  const rolesIn = (environment: Environment): string => {
    if (!environmentsOf(session).includes(environment)) return "No access";
    return access === undefined ? "Access" : rolesText(access[environment]);
  };
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        <Entry term="Name">{person.name}</Entry>
        <Entry term="E-mail">{person.email}</Entry>
        <Entry term={environmentNames.sandbox}>{rolesIn("sandbox")}</Entry>
        <Entry term={environmentNames.live}>{rolesIn("live")}</Entry>
        <Entry term="Groups">{person.groups.length === 0 ? "None" : person.groups.join(", ")}</Entry>
      </dl>
      <p className="text-small text-text-3">
        {access === undefined
          ? "The application that signs you in decides about these."
          : "An owner changes your name, roles and groups. Your e-mail address names you in every record, and stays."}
      </p>
    </>
  );
}

function Entry({ term, children }: { readonly term: string; readonly children: string }): ReactElement {
  return (
    <>
      <dt className="text-text-2">{term}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}
