import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { buttonClass } from "../ui/button.tsx";
import { environmentNames } from "./environment.ts";
import { Page } from "./page.tsx";
import { environmentsOf, useSession } from "./session.ts";

/** Shown for every page of an environment in which the person has no role. */
export function NoAccessPage({ environment }: { readonly environment: Environment }): ReactElement {
  const [other] = environmentsOf(useSession());
  return (
    <Page heading="No access">
      <p>You have no role in {environmentNames[environment]}. Ask an owner for access.</p>
      {other !== undefined && (
        <p>
          <Link to="/$environment" params={{ environment: other }} className={buttonClass()}>
            Open {environmentNames[other]}
          </Link>
        </p>
      )}
    </Page>
  );
}
