import { searchReader } from "../values/search-params.ts";

/** The lists of reviews. */
const reviewsShown = ["mine", "open", "decided"] as const;

export type ReviewsShown = (typeof reviewsShown)[number];

/** The orders of open reviews. */
const reviewOrders = ["requested", "expires"] as const;

export type ReviewOrder = (typeof reviewOrders)[number];

/** The search parameters of the pages of reviews. Without any: reviews that the reader may decide, oldest first. */
export interface ReviewsSearch {
  readonly show?: ReviewsShown;
  readonly order?: ReviewOrder;
}

export const readReviewsSearch = searchReader<ReviewsSearch>(["show", "order"], (search) => {
  const show = reviewsShown.find((one) => one === search["show"]);
  const order = reviewOrders.find((one) => one === search["order"]);
  return { ...(show !== undefined && { show }), ...(order !== undefined && { order }) };
});
