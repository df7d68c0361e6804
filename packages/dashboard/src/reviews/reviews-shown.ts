/** The lists of reviews. */
export const reviewsShown = ["mine", "open", "decided"] as const;

export type ReviewsShown = (typeof reviewsShown)[number];
