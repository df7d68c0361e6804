import type { ReactElement } from "react";

/** Beside the list, until a review is chosen. */
export function NoReview(): ReactElement {
  return <p className="text-text-2 max-lg:hidden">Choose a review to see what it asks.</p>;
}
