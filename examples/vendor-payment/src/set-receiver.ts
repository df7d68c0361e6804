/** A receiver of the ledger's events, as its control endpoint takes it. */
export interface EventReceiver {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
}

/** Procedo as a receiver, at the inbound address of a connection. */
export function receiverAt(given: {
  readonly appUrl: string;
  readonly address: string;
  readonly signingSecret: string;
}): EventReceiver {
  return { name: "procedo", url: `${given.appUrl}/in/v1/${given.address}`, secret: given.signingSecret };
}

/** Lets a ledger send its events there, instead of to the earlier address of the same name. */
export async function setReceiver(ledger: { readonly url: string }, receiver: EventReceiver): Promise<void> {
  const answer = await fetch(`${ledger.url}/_control/receivers`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(receiver),
  });
  if (!answer.ok) throw new Error(`The ledger refused the receiver of its events: ${await answer.text()}`);
}
