import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import { Alert, Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Moment } from "../values/moment.tsx";
import { accessSentences } from "./access-sentence.ts";
import { Card } from "./card.tsx";
import { JoinForm } from "./join-form.tsx";

/** Creates the account of an invited person, or of the first owner. The link has its token in the fragment. */
export function JoinPage({ isSetUp }: { readonly isSetUp: boolean }): ReactElement {
  const [token] = useState(() => location.hash.slice(1));
  const heading = isSetUp ? "Set up Procedo" : "Join Procedo";
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => answerOf(api.POST("/api/v1/invitations/look-up", { body: { token } })),
    enabled: token !== "",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // The token is forgotten with the page.
    gcTime: 0,
  });

  if (token === "" || hasCode(invitation.error, "invitation_not_found", "invalid_input", "malformed_request")) {
    return (
      <Card heading={heading}>
        <Alert>This link was used or has expired.</Alert>
        <p>
          {isSetUp
            ? "Start the service again: it prints a new link."
            : "Ask the person who sent it for a new link. Each link works once."}
        </p>
        <p>
          If you have an account, <Link to="/sign-in">sign in</Link>.
        </p>
      </Card>
    );
  }
  if (invitation.error !== null) {
    return (
      <Card heading={heading}>
        <Problem error={invitation.error} onRetry={() => void invitation.refetch()} />
      </Card>
    );
  }
  const { data } = invitation;
  return (
    <Card heading={heading} isLoading={data === undefined}>
      {data === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <>
          <div className="flex flex-col gap-1 text-text-2">
            {isSetUp ? (
              <p>You become the first owner: you can start runs, build procedures and invite people.</p>
            ) : (
              accessSentences(data.access).map((text) => <p key={text}>{text}</p>)
            )}
            {data.groups.length > 0 && <p>Your groups: {data.groups.join(", ")}.</p>}
          </div>
          <JoinForm token={token} email={data.email} />
          <p className="text-small text-text-3">
            This link works once, until <Moment at={data.expiresAt} />.
          </p>
        </>
      )}
    </Card>
  );
}
