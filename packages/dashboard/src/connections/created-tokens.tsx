import { Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import type { components } from "../api/schema.d.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Section } from "../ui/section.tsx";
import { SecretGuard } from "../values/leave-guard.tsx";
import { ShownOnce } from "../values/shown-once.tsx";
import { InstallLines } from "./install-lines.tsx";
import type { CreatedConnection } from "./new-connection-form.tsx";

/** The tokens of a new private connection, each shown once, with the lines that install its client. */
export function CreatedTokens({
  created: { id, name },
  tokens,
}: {
  readonly created: CreatedConnection;
  readonly tokens: components["schemas"]["PrivateConnectionTokens"];
}): ReactElement {
  const environment = useEnvironment();
  const given = (["sandbox", "live"] as const).filter((one) => tokens[one] !== undefined);
  const [stored, setStored] = useState<readonly Environment[]>([]);
  const isStored = given.every((one) => stored.includes(one));
  return (
    <Page heading={name} subtitle="Its clients in your network need a token of the environment that they work for.">
      {!isStored && <SecretGuard />}
      {given.map((one) => (
        <Section key={one} title={`${environmentNames[one]} token`}>
          {stored.includes(one) ? (
            <p className="text-completed">Stored.</p>
          ) : (
            <ShownOnce
              what="Token"
              secret={tokens[one] ?? ""}
              fileName={`${one}-token.txt`}
              isGuarded={false}
              onStored={() => setStored([...stored, one])}
            />
          )}
        </Section>
      ))}
      <InstallLines connectionId={id} environment={environment} />
      <Link
        to="/$environment/connections/$connectionId"
        params={{ environment, connectionId: id }}
        className={buttonClass(isStored ? "primary" : "secondary", "self-start")}
      >
        Open the connection
      </Link>
    </Page>
  );
}
