import type { ReactElement } from "react";
import { Age, Moment, Until } from "../values/moment.tsx";
import { Identifier } from "../values/identifier.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { Fact } from "./section.tsx";

/** The attempt whose outcome is unknown: when it was sent, under which key, and how long the key is known. */
export function AttemptFacts({ attempt }: { readonly attempt: Readonly<Record<string, JsonValue>> }): ReactElement {
  const text = (name: string): string | undefined => {
    const value = attempt[name];
    return typeof value === "string" ? value : undefined;
  };
  const [reason, key, sentAt, firstSentAt] = [
    text("reason"),
    text("idempotencyKey"),
    text("sentAt"),
    text("firstSentAt"),
  ];
  const [keyAge, expiresAt] = [text("idempotencyKeyAge"), text("idempotencyKeyExpiresAt")];
  const number = attempt["attempt"];
  return (
    <dl className="flex flex-col gap-1.5">
      {reason !== undefined && <Fact term="Problem">{reason}</Fact>}
      {sentAt !== undefined && (
        <Fact term="Sent">
          <Moment at={sentAt} />, <Age since={sentAt} />
          {typeof number === "number" && number > 1 && `, attempt ${number}`}
        </Fact>
      )}
      {firstSentAt !== undefined && firstSentAt !== sentAt && (
        <Fact term="First sent">
          <Moment at={firstSentAt} />, <Age since={firstSentAt} />
        </Fact>
      )}
      {key !== undefined && (
        <Fact term="Idempotency key">
          <Identifier what="idempotency key" id={key} />
        </Fact>
      )}
      {firstSentAt !== undefined && (
        <Fact term="Age of the key">
          first sent <Age since={firstSentAt} />
          {expiresAt !== undefined && (
            <>
              ; kept until <Moment at={expiresAt} /> (<Until at={expiresAt} />)
            </>
          )}
          {keyAge === undefined && "; the other service does not say how long it keeps it"}
        </Fact>
      )}
      {keyAge !== undefined && <Fact term="If sent again">{keyAge}</Fact>}
    </dl>
  );
}
