import { Link } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import type { ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { Menu, menuItemClass } from "../ui/menu.tsx";
import { rooms, roomsFor, workspaceRooms, type Room } from "./rooms.ts";
import { useSession } from "./session.ts";
import { useIsNarrow } from "./use-is-narrow.ts";
import { useWaitingReviews } from "./use-waiting-reviews.ts";

/** The rooms of the dashboard. Icons only on middle widths, a bar at the bottom of narrow ones. */
export function Navigation({ environment }: { readonly environment: Environment }): ReactElement {
  const waiting = useWaitingReviews(environment);
  const session = useSession();
  const isNarrow = useIsNarrow();
  const [own, shared] = [roomsFor(session, rooms), roomsFor(session, workspaceRooms)];
  const countOf = ({ name }: Room): string | undefined => (name === "Pending Reviews" ? waiting : undefined);
  if (isNarrow) {
    return (
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-4 border-t border-hairline bg-surface pb-[env(safe-area-inset-bottom)]"
      >
        {own
          .filter(({ shortName }) => shortName !== undefined)
          .map((room) => (
            <BarLink key={room.name} room={room} environment={environment} count={countOf(room)} />
          ))}
        <Menu
          label="More"
          isAbove
          button={
            <>
              <Ellipsis aria-hidden size={18} />
              More
            </>
          }
          buttonClassName={barItemClass}
        >
          {[...own.filter(({ shortName }) => shortName === undefined), ...shared].map(({ name, to, icon: Icon }) => (
            <Link key={name} to={to} params={{ environment }} role="menuitem" tabIndex={-1} className={menuItemClass}>
              <Icon aria-hidden size={16} />
              {name}
            </Link>
          ))}
        </Menu>
      </nav>
    );
  }
  return (
    <nav aria-label="Main" className="w-13 shrink-0 border-r border-hairline wide:w-52">
      <div className="sticky top-7 flex max-h-[calc(100dvh-28px)] flex-col gap-0.5 overflow-y-auto p-2">
        {own.map((room) => (
          <SideLink key={room.name} room={room} environment={environment} count={countOf(room)} />
        ))}
        {shared.length > 0 && <hr className="my-2 border-hairline" />}
        {shared.map((room) => (
          <SideLink key={room.name} room={room} environment={environment} />
        ))}
      </div>
    </nav>
  );
}

interface RoomLinkProps {
  readonly room: Room;
  readonly environment: Environment;
  /** How many things wait there. */
  readonly count?: string | undefined;
}

const barItemClass =
  "relative flex min-h-14 w-full flex-col items-center justify-center gap-0.5 text-small text-text-2 no-underline " +
  "aria-[current=page]:font-semibold aria-[current=page]:text-accent";

function BarLink({ room: { name, shortName, to, icon: Icon }, environment, count }: RoomLinkProps): ReactElement {
  return (
    <Link
      to={to}
      params={{ environment }}
      activeOptions={{ exact: to === "/$environment" }}
      activeProps={{ "aria-current": "page" }}
      aria-label={nameWith(name, count)}
      className={barItemClass}
    >
      <Icon aria-hidden size={18} />
      {shortName}
      {count !== undefined && (
        <span
          aria-hidden
          className="absolute top-1 left-[calc(50%+8px)] min-w-4 rounded-full bg-review-bg px-1 text-center font-semibold text-review tabular-nums"
        >
          {count}
        </span>
      )}
    </Link>
  );
}

function SideLink({ room: { name, to, icon: Icon }, environment, count }: RoomLinkProps): ReactElement {
  return (
    <Link
      to={to}
      params={{ environment }}
      activeOptions={{ exact: to === "/$environment" }}
      activeProps={{ "aria-current": "page" }}
      title={name}
      aria-label={nameWith(name, count)}
      className="relative flex min-h-8 shrink-0 items-center gap-2.5 rounded-control px-2.5 text-text-2 no-underline hover:bg-sunken hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-text pointer-coarse:min-h-11"
    >
      <Icon aria-hidden size={16} className="shrink-0" />
      <span className="max-wide:sr-only">{name}</span>
      {count !== undefined && (
        <>
          <span
            aria-hidden
            className="ml-auto rounded-full bg-review-bg px-1.5 text-small font-semibold text-review tabular-nums max-wide:hidden"
          >
            {count}
          </span>
          <span aria-hidden className="absolute top-1 right-1 size-2 rounded-full bg-review wide:hidden" />
        </>
      )}
    </Link>
  );
}

function nameWith(name: string, count: string | undefined): string {
  return count === undefined ? name : `${name}, ${count} open`;
}
