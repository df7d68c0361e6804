import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { AccessRole, Person } from "../api/models.ts";
import { useSession } from "../shell/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { Age } from "../values/moment.tsx";
import { rolesText } from "../values/roles.ts";

const columns: readonly Column[] = [
  { name: "Name" },
  { name: "E-mail", isSecondary: true },
  { name: "Sandbox" },
  { name: "Live" },
  { name: "Groups", isSecondary: true },
  { name: "Last seen", isSecondary: true },
  { name: "" },
];

/** People with their access. */
export function PeopleTable({
  people,
  onDeactivate,
}: {
  readonly people: readonly Person[];
  readonly onDeactivate: (person: Person) => void;
}): ReactElement {
  const own = useSession().person.id;
  return (
    <Table caption="People" columns={columns}>
      {people.map((person) => (
        <Row key={person.id}>
          <HeadCell>
            <Link to="/people" search={{ edit: person.id }} className="wrap-break-word">
              {person.name}
            </Link>
            {person.id === own && <span className="ml-2 font-normal text-text-3">you</span>}
            {!person.isActive && (
              <span className="ml-2 rounded-full bg-sunken px-2 py-0.5 text-small font-normal text-text-2">
                Deactivated
              </span>
            )}
            <span className="block font-normal text-text-2 md:hidden">{person.email}</span>
          </HeadCell>
          <Cell isSecondary>{person.email}</Cell>
          <Cell>
            <Roles roles={person.access.sandbox} isActive={person.isActive} />
          </Cell>
          <Cell>
            <Roles roles={person.access.live} isActive={person.isActive} />
          </Cell>
          <Cell isSecondary>{person.groups.join(", ")}</Cell>
          <Cell isSecondary>
            {person.lastSeenAt === undefined ? (
              <span className="text-text-3">Never</span>
            ) : (
              <Age since={person.lastSeenAt} />
            )}
          </Cell>
          <Cell>
            <span className="flex justify-end gap-1">
              <Link
                to="/people"
                search={{ edit: person.id }}
                className={buttonClass("quiet")}
                aria-label={`Edit ${person.name}`}
              >
                Edit
              </Link>
              {person.isActive && (
                <Button variant="quiet" aria-label={`Deactivate ${person.name}`} onClick={() => onDeactivate(person)}>
                  Deactivate
                </Button>
              )}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Roles({
  roles,
  isActive,
}: {
  readonly roles: readonly AccessRole[];
  readonly isActive: boolean;
}): ReactElement {
  return <span className={roles.length === 0 || !isActive ? "text-text-3" : ""}>{rolesText(roles)}</span>;
}
