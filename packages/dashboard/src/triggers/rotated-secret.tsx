import type { ReactElement } from "react";
import type { components } from "../api/schema.d.ts";
import { Moment } from "../values/moment.tsx";
import { ShownOnce } from "../values/shown-once.tsx";

export type Rotated = components["schemas"]["RotatedTriggerSecret"];

/** The secret that takes the place of another one, and how long the former one is accepted. */
export function RotatedSecret({
  rotated: { secret, oldSecretExpiresAt },
  onStored,
}: {
  readonly rotated: Rotated;
  readonly onStored: () => void;
}): ReactElement {
  return (
    <>
      <p>
        Give the new secret to the service that sends the requests. The former one is accepted until{" "}
        <Moment at={oldSecretExpiresAt} />.
      </p>
      <ShownOnce what="Signing secret" secret={secret} fileName="signing-secret.txt" onStored={onStored} />
    </>
  );
}
