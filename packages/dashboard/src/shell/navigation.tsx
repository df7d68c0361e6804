import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { rooms, workspaceRooms, type Room } from "./rooms.ts";
import { isAdministrator, useSession } from "./session.ts";
import { useWaitingReviews } from "./use-waiting-reviews.ts";

/** The rooms of the dashboard. Icons only on middle widths, a bar at the bottom of narrow ones. */
export function Navigation({ environment }: { readonly environment: Environment }): ReactElement {
  const waiting = useWaitingReviews(environment);
  const session = useSession();
  return (
    <nav
      aria-label="Main"
      className="flex shrink-0 gap-0.5 border-hairline bg-canvas p-2 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-10 max-sm:overflow-x-auto max-sm:border-t sm:w-13 sm:flex-col sm:border-r lg:w-52"
    >
      {rooms.map((entry) => (
        <NavigationLink
          key={entry.name}
          entry={entry}
          environment={environment}
          count={entry.name === "Pending Reviews" ? waiting : undefined}
        />
      ))}
      <hr className="my-2 border-hairline max-sm:hidden" />
      {workspaceRooms
        .filter(({ isForAdministrators }) => isForAdministrators !== true || isAdministrator(session))
        .map((entry) => (
          <NavigationLink key={entry.name} entry={entry} environment={environment} />
        ))}
    </nav>
  );
}

function NavigationLink({
  entry: { name, to, icon: Icon },
  environment,
  count,
}: {
  readonly entry: Room;
  readonly environment: Environment;
  readonly count?: number | undefined;
}): ReactElement {
  const hasCount = count !== undefined && count > 0;
  return (
    <Link
      to={to}
      params={{ environment }}
      activeOptions={{ exact: to === "/$environment" }}
      activeProps={{ "aria-current": "page" }}
      title={name}
      aria-label={hasCount ? `${name}, ${count} open` : name}
      className="flex min-h-8 shrink-0 items-center gap-2.5 rounded-control px-2.5 text-text-2 no-underline hover:bg-sunken hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-text pointer-coarse:min-h-11"
    >
      <Icon aria-hidden size={16} className="shrink-0" />
      <span className="sm:max-lg:sr-only">{name}</span>
      {hasCount && (
        <span
          aria-hidden
          className="ml-auto rounded-full bg-review-bg px-1.5 text-small font-semibold text-review tabular-nums sm:max-lg:hidden"
        >
          {count}
        </span>
      )}
    </Link>
  );
}
