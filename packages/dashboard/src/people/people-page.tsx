import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Person } from "../api/models.ts";
import type { components } from "../api/schema.d.ts";
import { Page } from "../shell/page.tsx";
import { isAdministrator, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Denied } from "../ui/denied.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/problem.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { ShownOnce } from "../values/shown-once.tsx";
import { DeactivateDialog } from "./deactivate-dialog.tsx";
import { EditPersonDialog } from "./edit-person-dialog.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { PeopleTable } from "./people-table.tsx";
import { peoplePages, personById } from "./use-people.ts";

const route = getRouteApi("/signed-in/workspace/people");

type Created = components["schemas"]["CreatedInvitation"];

/** The people of the workspace, and the invitations that are open. */
export function PeoplePage(): ReactElement {
  const isAllowed = isAdministrator(useSession());
  return isAllowed ? <People /> : <Page heading="People">{<Denied what="people and their access" />}</Page>;
}

function People(): ReactElement {
  const people = useInfiniteQuery(peoplePages);
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const [isInviting, setInviting] = useState(false);
  const [created, setCreated] = useState<Created>();
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
            Give this link to <strong className="wrap-anywhere">{created.email}</strong> in a way that you trust. The
            service sends no e-mail. The link is valid once, for 7 days.
          </p>
          <ShownOnce
            what="Invitation link"
            secret={created.link}
            fileName="invitation.txt"
            onStored={() => setCreated(undefined)}
          />
        </>
      )}
      {people.isSuccess && (
        <PeopleTable people={people.data.pages.flatMap(({ data }) => data)} onDeactivate={setDeactivated} />
      )}
      {people.hasNextPage && (
        <Button
          className="self-center"
          busyLabel={people.isFetchingNextPage ? "Loading …" : undefined}
          onClick={() => void people.fetchNextPage()}
        >
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
      {edit !== undefined && (
        <Edited key={edit} id={edit} onClose={() => void navigate({ search: {}, ignoreBlocker: true })} />
      )}
      {deactivated !== undefined && <DeactivateDialog person={deactivated} onClose={() => setDeactivated(undefined)} />}
    </Page>
  );
}

/** The person whom the address names. */
function Edited({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactElement | null {
  const person = useQuery({ ...personById(id), staleTime: 0 });
  if (person.error !== null) {
    return (
      <Dialog title="Edit" onClose={onClose}>
        <Problem error={person.error} onRetry={() => void person.refetch()} />
      </Dialog>
    );
  }
  return person.data === undefined ? null : <EditPersonDialog person={person.data} onClose={onClose} />;
}
