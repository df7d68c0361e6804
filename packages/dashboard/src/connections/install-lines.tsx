import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { Copy } from "../ui/copy.tsx";
import { RadioGroup } from "../ui/radio-group.tsx";
import { Section } from "../ui/section.tsx";
import { installWays } from "./install-ways.ts";
import { privateClients } from "./use-private-connection.ts";

/** The lines that start a client, to be copied. */
export function InstallLines({
  connectionId,
  environment,
}: {
  readonly connectionId: string;
  readonly environment: Environment;
}): ReactElement | null {
  const { data } = useQuery(privateClients(environment, connectionId));
  const [chosen, setChosen] = useState("npm");
  if (data === undefined) return null;
  const ways = installWays(environment, data.sdkUrl);
  const way = ways.find(({ name }) => name === chosen);
  return (
    <Section title="Start a client">
      <p className="max-w-prose text-text-2">
        Write your functions in <code className="font-mono text-code">functions.ts</code>, and start them in your
        network. The program only opens connections to this service; nothing has to be opened to the outside.
      </p>
      <RadioGroup
        legend="Run it by"
        value={chosen}
        columns
        options={ways.map(({ name }) => ({ value: name, label: name }))}
        onChange={setChosen}
      />
      {way !== undefined && (
        <div className="relative rounded-panel border border-hairline bg-sunken">
          <pre
            tabIndex={0}
            role="group"
            aria-label={way.name}
            className="overflow-x-auto py-2 pr-10 pl-3 font-mono text-code"
          >
            {way.lines}
          </pre>
          <span className="absolute top-1 right-1">
            <Copy what={`the lines for ${way.name}`} text={way.lines} />
          </span>
        </div>
      )}
    </Section>
  );
}
