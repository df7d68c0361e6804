import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import type { ReviewOrder, ReviewsSearch, ReviewsShown } from "./reviews-shown.ts";

const lists: readonly { readonly show: ReviewsShown; readonly name: string }[] = [
  { show: "mine", name: "Mine" },
  { show: "open", name: "All open" },
  { show: "decided", name: "Decided" },
];

/** The lists of reviews as links, and the order of open ones. */
export function ReviewLists({ search }: { readonly search: ReviewsSearch }): ReactElement {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { show = "mine", order = "requested" } = search;
  const changeOrder = (changed: ReviewOrder): void => {
    void navigate({
      to: "/$environment/reviews",
      params: { environment },
      search: { ...(show !== "mine" && { show }), ...(changed === "expires" && { order: changed }) },
    });
  };
  return (
    <div className="flex items-end justify-between gap-2 border-b border-hairline">
      <nav aria-label="Reviews" className="flex gap-3">
        {lists.map((list) => (
          <Link
            key={list.show}
            to="/$environment/reviews"
            params={{ environment }}
            search={{ show: list.show, ...(order === "expires" && { order }) }}
            aria-current={list.show === show ? "page" : undefined}
            className="-mb-px border-b-2 border-transparent px-1 py-1.5 font-medium whitespace-nowrap text-text-2 no-underline hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text pointer-coarse:py-3"
          >
            {list.name}
          </Link>
        ))}
      </nav>
      {show !== "decided" && (
        <select
          aria-label="Order"
          value={order}
          onChange={({ target }) => changeOrder(target.value === "expires" ? "expires" : "requested")}
          className="mb-1 min-h-6 rounded-control border border-transparent bg-transparent px-1 text-small text-text-2 hover:border-control pointer-coarse:min-h-11"
        >
          <option value="requested">Oldest first</option>
          <option value="expires">Expiring first</option>
        </select>
      )}
    </div>
  );
}
