import type { Entry } from "@procedo/procedure";

/** Returns the position of an entry in its run, so that entries of two runs of one procedure can be matched. */
export type PathOf = (entry: Entry) => string;

/** Creates the function for one run's entries, which must be passed in their order. */
export function createEntryPaths(): PathOf {
  const opened = new Map<string, number>();
  const reviews = new Map<string, string>();
  return (entry) => {
    switch (entry.type) {
      case "review_opened": {
        const { nodeId, visit, review } = entry;
        const kind = `${nodeId}/${visit}/${review.kind}`;
        const number = (opened.get(kind) ?? 0) + 1;
        opened.set(kind, number);
        const path = `${kind}/${number}`;
        reviews.set(review.reviewId, path);
        return `asked ${path}`;
      }
      case "review_closed":
        return `answered ${reviews.get(entry.reviewId) ?? ""}`;
      case "intent":
        return `intent ${callPath(entry)}/${entry.attempt}`;
      case "outcome":
        return `outcome ${callPath(entry)}/${entry.attempt}${entry.late === true ? "/late" : ""}`;
      case "prompted":
        return `prompted ${turnPath(entry)}`;
      case "replied":
        return `replied ${turnPath(entry)}/${entry.attempt}`;
      case "branch_taken":
      case "concluded":
      case "node_failed":
      case "held":
      case "emitted":
        return `${entry.type} ${visitPath(entry)}`;
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

/** The path of a visit. It is unambiguous, because node ids contain no slash. */
export function visitPath({ nodeId, visit }: Visit): string {
  return `${nodeId}/${visit}`;
}

export function callPath({ call, ...visit }: Visit & { readonly call: number }): string {
  return `${visitPath(visit)}/${call}`;
}

export function turnPath({ turn, ...visit }: Visit & { readonly turn: number }): string {
  return `${visitPath(visit)}/${turn}`;
}
