import type { ReactElement } from "react";
import type { Connection } from "../api/models.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { Section } from "../ui/section.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Age } from "../values/moment.tsx";

/** The address to which the service of a connection sends its events, with its traffic. */
export function InboundSection({
  inbound: { url, events, lastReceivedAt, refusedLast24h },
}: {
  readonly inbound: NonNullable<Connection["inbound"]>;
}): ReactElement {
  return (
    <Section title="Inbound address">
      <p className="text-text-2">Enter it at the service, as the address of its events. Triggers start runs by them.</p>
      <Identifier what="inbound address" id={url} />
      <Facts>
        <Fact name="Last event">{lastReceivedAt === undefined ? "None yet" : <Age since={lastReceivedAt} />}</Fact>
        <Fact name="Refused in the last 24 hours">
          <span className={refusedLast24h > 0 ? "text-failed" : ""}>{refusedLast24h.toLocaleString("en-GB")}</span>
        </Fact>
      </Facts>
      {refusedLast24h > 0 && (
        <p className="text-text-2">
          A request is refused if its signature does not fit. Compare the secret of the events with the one at the
          service.
        </p>
      )}
      <details className="max-w-prose">
        <summary className="w-fit cursor-pointer text-accent">
          {events.length} {events.length === 1 ? "kind" : "kinds"} of event
        </summary>
        <p className="pt-1 wrap-anywhere text-text-2">{events.join(", ")}</p>
      </details>
    </Section>
  );
}
