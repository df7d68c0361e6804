import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { environmentNames } from "../shell/environment.ts";
import { hasAbility, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { messageOf } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { Age } from "../values/moment.tsx";
import { ShownOnce } from "../values/shown-once.tsx";
import { privateStatus, useRegenerateToken } from "./use-private-connection.ts";

/** The token of one environment, and whether a client uses it. */
export function TokenSection({
  connectionId,
  environment,
  hasToken,
}: {
  readonly connectionId: string;
  readonly environment: Environment;
  readonly hasToken: boolean;
}): ReactElement {
  const mayManage = hasAbility(useSession(), environment, "manage");
  const { data: state } = useQuery(privateStatus(environment, connectionId));
  const [isAsking, setAsking] = useState(false);
  const [token, setToken] = useState<string>();
  const regenerate = useRegenerateToken(environment, connectionId, (made) => {
    setAsking(false);
    setToken(made);
  });
  return (
    <Section title={`${environmentNames[environment]} token`}>
      <Facts>
        <Fact name="Status">
          <Status isConnected={state?.status === "connected"} hasToken={hasToken} />
        </Fact>
        {state?.lastPollAt !== undefined && (
          <Fact name="Last seen">
            <Age since={state.lastPollAt} />
          </Fact>
        )}
      </Facts>
      {token !== undefined && (
        <ShownOnce
          what="Token"
          secret={token}
          fileName={`${environment}-token.txt`}
          onStored={() => setToken(undefined)}
        />
      )}
      {mayManage && token === undefined && (
        <Button
          className="self-start"
          busyLabel={regenerate.isPending ? "Creating …" : undefined}
          onClick={() => (hasToken ? setAsking(true) : regenerate.mutate())}
        >
          {hasToken ? "Regenerate" : "Create"} {environment} token
        </Button>
      )}
      <span role="status" className="text-failed empty:hidden">
        {regenerate.error !== null && !isAsking && messageOf(regenerate.error)}
      </span>
      {isAsking && (
        <ChangeDialog
          title={`Regenerate the ${environment} token?`}
          label={`Regenerate ${environment} token`}
          busyLabel="Regenerating …"
          variant="danger"
          change={regenerate}
          onChange={() => regenerate.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            The current token stops working immediately. Clients that use it are disconnected, and calls in{" "}
            {environmentNames[environment]} wait until a client starts with the new token. The new token is shown once.
          </p>
        </ChangeDialog>
      )}
    </Section>
  );
}

function Status({
  isConnected,
  hasToken,
}: {
  readonly isConnected: boolean;
  readonly hasToken: boolean;
}): ReactElement {
  const look = isConnected
    ? { icon: CircleCheck, word: "Connected", colour: "text-completed" }
    : hasToken
      ? { icon: CircleX, word: "Disconnected", colour: "text-failed" }
      : { icon: CircleDashed, word: "No token yet", colour: "text-text-2" };
  const { icon: Icon, word, colour } = look;
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
      <Icon aria-hidden size={14} className="shrink-0" /> {word}
    </span>
  );
}
