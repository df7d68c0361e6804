import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { connectionById } from "../api/connections.ts";
import type { Trigger, TriggerSource } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Age } from "../values/moment.tsx";
import { durationWords } from "./duration-words.ts";
import { schemeWords } from "./source-words.ts";
import { connectionsByName } from "./use-triggers.ts";

type Webhook = Extract<TriggerSource, { readonly kind: "webhook" }>;
type Inbound = NonNullable<Trigger["inbound"]>;

/** The address that another service sends its requests to, of a webhook or of the trigger's connection. */
export function InboundAddress({ trigger: { source, inbound } }: { readonly trigger: Trigger }): ReactElement | null {
  if (source.kind === "integration") return <OfConnection name={source.connection} />;
  if (source.kind !== "webhook" || inbound === undefined) return null;
  return (
    <Address inbound={inbound} hint="The other service sends its requests here.">
      <Fact name="Proof of origin">{schemeWords[source.authentication.scheme]}</Fact>
      <ProofFacts source={source} />
      <Fact name="Repetitions">{dedupeWords(source.dedupe)}</Fact>
    </Address>
  );
}

function OfConnection({ name }: { readonly name: string }): ReactElement | null {
  const environment = useEnvironment();
  const id = useQuery(connectionsByName(environment)).data?.get(name)?.id;
  const connection = useQuery({ ...connectionById(environment, id ?? ""), enabled: id !== undefined });
  if (connection.error !== null) return <Problem error={connection.error} onRetry={() => void connection.refetch()} />;
  const inbound = connection.data?.inbound;
  if (inbound === undefined) return null;
  return <Address inbound={inbound} hint={`The service of the connection ${name} sends its events here.`} />;
}

function Address({
  inbound: { url, lastReceivedAt, refusedLast24h },
  hint,
  children,
}: {
  readonly inbound: Pick<Inbound, "url" | "lastReceivedAt" | "refusedLast24h">;
  readonly hint: string;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <Section title="Inbound address">
      <div className="flex flex-col gap-3 rounded-panel border border-hairline bg-surface p-4">
        <div>
          <Identifier what="inbound address" id={url} />
          <p className="text-small text-text-3">{hint}</p>
        </div>
        <Facts>
          <Fact name="Last request">{lastReceivedAt === undefined ? "None yet" : <Age since={lastReceivedAt} />}</Fact>
          <Fact name="Refused in 24 hours">
            <span className={refusedLast24h > 0 ? "text-failed" : ""}>{refusedLast24h.toLocaleString("en-GB")}</span>
          </Fact>
          {children}
        </Facts>
      </div>
    </Section>
  );
}

function ProofFacts({ source: { authentication } }: { readonly source: Webhook }): ReactElement | null {
  switch (authentication.scheme) {
    case "hmac": {
      const { header, algorithm, encoding, prefix, timestampHeader } = authentication;
      return (
        <>
          <Fact name="Signature in">
            <Code>{header}</Code>
          </Fact>
          <Fact name="Signature">
            {`${algorithm.toUpperCase().replace("SHA", "SHA-")} in ${encoding === "hex" ? "hexadecimal" : "Base64"}`}
            {prefix !== "" && (
              <>
                {" after "}
                <Code>{prefix}</Code>
              </>
            )}
          </Fact>
          {timestampHeader !== null && (
            <Fact name="Time in">
              <Code>{timestampHeader}</Code>
            </Fact>
          )}
        </>
      );
    }
    case "token":
      return (
        <Fact name="Secret in">
          <Code>{authentication.header}</Code>
        </Fact>
      );
    case "basic":
      return <Fact name="User name">procedo</Fact>;
    case "standard_webhooks":
      return null;
  }
}

function dedupeWords(dedupe: Webhook["dedupe"]): ReactNode {
  switch (dedupe.by) {
    case "body":
      return `The same content within ${durationWords(dedupe.within)} is one event`;
    case "expression":
      return (
        <>
          The same <Code>{dedupe.expression}</Code> is one event
        </>
      );
    case "none":
      return "Each request is an event";
  }
}

function Code({ children }: { readonly children: string }): ReactElement {
  return <code className="font-mono text-code font-normal wrap-anywhere">{children}</code>;
}
