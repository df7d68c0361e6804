import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import type { ReviewRow } from "./kept-rows.ts";
import type { ReviewsSearch } from "./reviews-shown.ts";

/** `j` and `k` open the next and the previous review, Escape closes the one that is open. */
export function useQueueShortcuts(
  rows: readonly ReviewRow[],
  present: string | undefined,
  search: ReviewsSearch,
): void {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const open = (step: 1 | -1) => () => {
      const at = rows.findIndex(({ review }) => review.reviewId === present);
      const next = at < 0 ? rows[0] : rows[at + step];
      if (next === undefined) return;
      const { reviewId } = next.review;
      void navigate({ to: "/$environment/reviews/$reviewId", params: { environment, reviewId }, search });
    };
    const close = (): void => void navigate({ to: "/$environment/reviews", params: { environment }, search });
    return [
      { keys: "j", does: "Open the next review", run: open(1) },
      { keys: "k", does: "Open the previous review", run: open(-1) },
      ...(present === undefined ? [] : [{ keys: "Escape", does: "Back to the list", run: close }]),
    ];
  }, [rows, present, search, environment, navigate]);
  useShortcuts(shortcuts);
}
