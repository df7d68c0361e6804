import type { ReactElement, ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import type { Connection } from "../api/models.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { Alert } from "../ui/problem.tsx";
import { Moment } from "../values/moment.tsx";
import { HealthBadge } from "./health-badge.tsx";

/** What a connection is, and what a person has to do about it. */
export function ConnectionFacts({
  connection,
  title,
  isReasonShown,
}: {
  readonly connection: Connection;
  /** Of its integration. */
  readonly title: string;
  /** Whether the page says already why it fails. */
  readonly isReasonShown: boolean;
}): ReactElement {
  const { environment, health, createdBy, createdAt, updatedAt } = connection;
  return (
    <>
      <Facts>
        <Fact name="Health">
          <HealthBadge health={health} />
        </Fact>
        <Fact name="Integration">{title}</Fact>
        <Fact name="Environment">{environment === undefined ? "Sandbox and Live" : environmentNames[environment]}</Fact>
        <Fact name="Created">
          <Moment at={createdAt} />
        </Fact>
        <Fact name="Created by">{createdBy}</Fact>
        {updatedAt !== createdAt && (
          <Fact name="Changed">
            <Moment at={updatedAt} />
          </Fact>
        )}
      </Facts>
      {!(isReasonShown && health.status === "failing") && <Attention connection={connection} />}
    </>
  );
}

function Attention({ connection: { id, health } }: { readonly connection: Connection }): ReactNode {
  const environment = useEnvironment();
  switch (health.status) {
    case "ok":
    case "unknown":
      return null;
    case "failing":
      return <Alert>{health.message} Mend the cause, such as a credential that has ended, and choose Test.</Alert>;
    case "unconfirmed":
      return (
        <Alert tone="review">
          <p>{health.message}</p>
          <Link
            to="/$environment/connections/$connectionId/edit"
            params={{ environment, connectionId: id }}
            className="underline"
          >
            Confirm the address
          </Link>
        </Alert>
      );
    case "needs_authorization":
      return <Alert tone="review">{health.message} Runs that call it wait, and go on once it is authorized.</Alert>;
  }
}
