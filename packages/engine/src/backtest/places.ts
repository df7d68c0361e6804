import type { Entry } from "@procedo/procedure";

/** Names where in its run an entry stands: what two runs of one procedure have in common. */
export type PlaceOf = (entry: Entry) => string;

/** The places of one run's entries, which are told in their order. */
export function createPlaces(): PlaceOf {
  const asked = new Map<string, number>();
  const reviews = new Map<string, string>();
  return (entry) => {
    switch (entry.type) {
      case "review_opened": {
        const { nodeId, visit, review } = entry;
        const kind = `${nodeId}/${visit}/${review.kind}`;
        const number = (asked.get(kind) ?? 0) + 1;
        asked.set(kind, number);
        const place = `${kind}/${number}`;
        reviews.set(review.reviewId, place);
        return `asked ${place}`;
      }
      case "review_closed":
        return `answered ${reviews.get(entry.reviewId) ?? ""}`;
      case "intent":
        return `intent ${callPlace(entry)}/${entry.attempt}`;
      case "outcome":
        return `outcome ${callPlace(entry)}/${entry.attempt}${entry.late === true ? "/late" : ""}`;
      case "prompted":
        return `prompted ${turnPlace(entry)}`;
      case "replied":
        return `replied ${turnPlace(entry)}/${entry.attempt}`;
      case "branch_taken":
      case "concluded":
      case "node_failed":
      case "emitted":
        return `${entry.type} ${visitPlace(entry)}`;
      case "started":
      case "ended":
      case "recovered":
      case "cancel_requested":
      case "superseded":
        return entry.type;
    }
  };
}

interface Visit {
  readonly nodeId: string;
  readonly visit: number;
}

/** Node ids hold no slash. */
export function visitPlace({ nodeId, visit }: Visit): string {
  return `${nodeId}/${visit}`;
}

export function callPlace({ call, ...visit }: Visit & { readonly call: number }): string {
  return `${visitPlace(visit)}/${call}`;
}

export function turnPlace({ turn, ...visit }: Visit & { readonly turn: number }): string {
  return `${visitPlace(visit)}/${turn}`;
}
