import { useInfiniteQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { components } from "../api/schema.d.ts";
import type { AccessRole, Person } from "../api/models.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Age } from "../values/moment.tsx";
import { ShownOnce } from "../values/shown-once.tsx";
import { DeactivateDialog } from "./deactivate-dialog.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { EditPersonDialog } from "./edit-person-dialog.tsx";
import { peoplePages } from "./use-people.ts";

const columns: readonly Column[] = [
  { name: "Name" },
  { name: "E-mail" },
  { name: "Sandbox" },
  { name: "Live" },
  { name: "Groups", isSecondary: true },
  { name: "Last seen", isSecondary: true },
  { name: "" },
];

type Created = components["schemas"]["CreatedInvitation"];

/** The people of the workspace, and the invitations that are open. */
export function PeoplePage(): ReactElement {
  const people = useInfiniteQuery(peoplePages);
  const rows = people.data?.pages.flatMap(({ data }) => data) ?? [];
  const [isInviting, setInviting] = useState(false);
  const [created, setCreated] = useState<Created>();
  const [edited, setEdited] = useState<Person>();
  const [deactivated, setDeactivated] = useState<Person>();
  return (
    <Page
      heading="People"
      isLoading={people.isPending}
      error={people.error}
      onRetry={() => void people.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: "/api/v1/people" }} />
          <Button variant="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            Invite
          </Button>
        </>
      }
    >
      {created !== undefined && (
        <>
          <p>
            Give this link to <strong>{created.email}</strong>. The service sends no e-mail.
          </p>
          <ShownOnce
            what="Invitation link"
            secret={created.link}
            fileName="invitation.txt"
            onStored={() => setCreated(undefined)}
          />
        </>
      )}
      <Table caption="People" columns={columns}>
        {rows.map((person) => (
          <Row key={person.id}>
            <HeadCell>
              {person.name}
              {!person.isActive && <span className="ml-2 font-normal text-text-3">deactivated</span>}
            </HeadCell>
            <Cell>{person.email}</Cell>
            <Cell>{rolesText(person.access.sandbox)}</Cell>
            <Cell>{rolesText(person.access.live)}</Cell>
            <Cell isSecondary>{person.groups.join(", ")}</Cell>
            <Cell isSecondary>{person.lastSeenAt !== undefined && <Age since={person.lastSeenAt} />}</Cell>
            <Cell>
              <span className="flex justify-end gap-1">
                <Button variant="quiet" aria-label={`Edit ${person.name}`} onClick={() => setEdited(person)}>
                  Edit
                </Button>
                {person.isActive && (
                  <Button
                    variant="quiet"
                    aria-label={`Deactivate ${person.name}`}
                    onClick={() => setDeactivated(person)}
                  >
                    Deactivate
                  </Button>
                )}
              </span>
            </Cell>
          </Row>
        ))}
      </Table>
      {people.hasNextPage && (
        <Button className="self-center" onClick={() => void people.fetchNextPage()}>
          Load more
        </Button>
      )}
      <Invitations />
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onCreated={(invitation) => {
            setInviting(false);
            setCreated(invitation);
          }}
        />
      )}
      {edited !== undefined && <EditPersonDialog person={edited} onClose={() => setEdited(undefined)} />}
      {deactivated !== undefined && <DeactivateDialog person={deactivated} onClose={() => setDeactivated(undefined)} />}
    </Page>
  );
}

function rolesText(roles: readonly AccessRole[]): string {
  return roles.length === 0 ? "No access" : roles.join(", ");
}
