import { ExternalLink, RefreshCw } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Connection } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Alert, messageOf } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { Moment, Until } from "../values/moment.tsx";
import { AuthorizeDialog } from "./authorize-dialog.tsx";
import { missingScopes } from "./scopes.ts";
import { useRemoveAuthorization, useRenew, useStartAuthorization } from "./use-authorization.ts";

type OAuth = NonNullable<Connection["oauth"]>;

const statusWords: Readonly<Record<OAuth["status"], string>> = {
  not_connected: "Not authorized yet",
  connected: "Authorized",
  needs_authorization: "Ended: it has to be authorized again",
};

/** The authorization of a connection by OAuth: who gave it, for which account, and how far it goes. */
export function AuthorizationSection({
  connectionId,
  oauth,
  mayManage,
  onLeave,
}: {
  readonly connectionId: string;
  readonly oauth: OAuth;
  readonly mayManage: boolean;
  /** Called before the page of the service opens. */
  readonly onLeave: () => void;
}): ReactElement {
  const { grant, status, account, scopesAsked, scopesGranted, connectedAt, connectedBy, expiresAt, lastFailure } =
    oauth;
  const byPerson = grant === "authorization_code";
  const missing = missingScopes(scopesAsked, scopesGranted);
  return (
    <Section title="Authorization">
      <Facts>
        <Fact name="State">{byPerson ? statusWords[status] : "By the client's own credentials"}</Fact>
        {account !== undefined && <Fact name="Account">{account.name}</Fact>}
        {connectedBy !== undefined && <Fact name="Authorized by">{connectedBy}</Fact>}
        {connectedAt !== undefined && (
          <Fact name="Since">
            <Moment at={connectedAt} />
          </Fact>
        )}
        {expiresAt !== undefined && status === "connected" && (
          <Fact name="Token is renewed">
            <Until at={expiresAt} />
          </Fact>
        )}
        <Fact name="Scopes asked for">
          {scopesAsked.length === 0 ? "Those of the service" : scopesAsked.join(", ")}
        </Fact>
        {scopesGranted !== undefined && (
          <Fact name="Scopes granted">{scopesGranted.length === 0 ? "None" : scopesGranted.join(", ")}</Fact>
        )}
      </Facts>
      {missing.length > 0 && (
        <Alert tone="review">
          The service did not grant {missing.join(", ")}. Calls that need {missing.length === 1 ? "it" : "them"} are
          refused. Authorize again, and agree to all of it.
        </Alert>
      )}
      {lastFailure !== undefined && (
        <p className="wrap-anywhere text-text-2">
          <Moment at={lastFailure.at} />: {lastFailure.message}
        </p>
      )}
      {mayManage && <Controls connectionId={connectionId} oauth={oauth} byPerson={byPerson} onLeave={onLeave} />}
    </Section>
  );
}

function Controls({
  connectionId,
  oauth: { status, account },
  byPerson,
  onLeave,
}: {
  readonly connectionId: string;
  readonly oauth: OAuth;
  readonly byPerson: boolean;
  readonly onLeave: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const place = { environment, connectionId };
  const [open, setOpen] = useState<"authorize" | "remove">();
  const close = (): void => setOpen(undefined);
  const start = useStartAuthorization(place, onLeave);
  const renew = useRenew(place);
  const remove = useRemoveAuthorization(place, close);
  const isFirst = status === "not_connected";
  return (
    <div className="flex flex-wrap items-center gap-2">
      {byPerson && (
        <Button
          variant={status === "connected" ? "secondary" : "primary"}
          icon={ExternalLink}
          busyLabel={start.isPending ? "Opening the service …" : undefined}
          onClick={() => (account === undefined ? start.mutate({}) : setOpen("authorize"))}
        >
          {writeLabel(isFirst ? "Authorize" : "Authorize again", environment)}
        </Button>
      )}
      {(status === "connected" || !byPerson) && (
        <Button icon={RefreshCw} busyLabel={renew.isPending ? "Renewing …" : undefined} onClick={() => renew.mutate()}>
          {writeLabel("Renew now", environment)}
        </Button>
      )}
      {byPerson && !isFirst && (
        <Button variant="danger" onClick={() => setOpen("remove")}>
          {writeLabel("Remove authorization", environment)}
        </Button>
      )}
      <span role="status" className="basis-full empty:hidden">
        {renew.isSuccess && "The tokens were renewed."}
        {renew.error !== null && <span className="text-failed">{messageOf(renew.error)}</span>}
        {start.error !== null && open === undefined && <span className="text-failed">{messageOf(start.error)}</span>}
      </span>
      {open === "authorize" && account !== undefined && (
        <AuthorizeDialog account={account.name} start={start} onClose={close} />
      )}
      {open === "remove" && (
        <ChangeDialog
          title="Remove the authorization?"
          label={writeLabel("Remove authorization", environment)}
          busyLabel="Removing …"
          variant="danger"
          change={remove}
          onChange={() => remove.mutate()}
          onClose={close}
        >
          <p>
            The tokens are deleted, and the service is asked to revoke them. Runs that call this connection wait until a
            person authorizes it again, for up to 7 days.
          </p>
        </ChangeDialog>
      )}
    </div>
  );
}
