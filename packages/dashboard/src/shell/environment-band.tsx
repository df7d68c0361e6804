import { Link, useMatches } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import type { Environment } from "../api/models.ts";
import { cx } from "../ui/cx.ts";
import { environmentNames } from "./environment.ts";
import { roomAt } from "./rooms.ts";
import { environmentsOf, useSession } from "./session.ts";

/** Says in which environment the page is, by a word, a pattern and the address, and opens the other one. */
export function EnvironmentBand({
  environment,
  children,
}: {
  readonly environment: Environment;
  /** At its end. */
  readonly children: ReactNode;
}): ReactElement {
  const session = useSession();
  const isLive = environment === "live";
  return (
    <section
      aria-label="Environment"
      className={cx(
        "sticky top-0 z-10 flex min-h-7 items-center gap-3 px-3 text-small font-medium",
        isLive ? "bg-live-bg text-live" : "stripes text-sandbox",
      )}
    >
      <span className="flex items-center gap-1.5 font-semibold">
        {isLive && <span aria-hidden className="size-2 rounded-full bg-live-dot" />}
        {environmentNames[environment]}
      </span>
      <span className="truncate font-mono max-sm:hidden">{location.host}</span>
      <span className="flex gap-2">
        {environmentsOf(session).map((one) => (
          <EnvironmentLink key={one} environment={one} isPresent={one === environment} />
        ))}
      </span>
      <div className="ml-auto flex items-center gap-1">{children}</div>
    </section>
  );
}

/** Opens the same list in an environment; the address of one object is valid in its own environment only. */
function EnvironmentLink({
  environment,
  isPresent,
}: {
  readonly environment: Environment;
  readonly isPresent: boolean;
}): ReactElement {
  const pattern = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "" });
  return (
    <Link
      to={roomAt(pattern)?.to ?? "/$environment"}
      params={{ environment }}
      aria-current={isPresent ? "true" : undefined}
      className="rounded-control px-1 underline-offset-2 aria-[current=true]:no-underline aria-[current=true]:opacity-80"
    >
      Open in {environmentNames[environment]}
    </Link>
  );
}
