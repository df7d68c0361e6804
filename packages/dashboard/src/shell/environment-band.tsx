import { useLinkProps, useLocation, useRouter } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import type { Environment } from "../api/models.ts";
import { cx } from "../ui/cx.ts";
import { addressIn } from "./environment-address.ts";
import { environmentNames } from "./environment.ts";

const environments = ["sandbox", "live"] as const;

/** Says in which environment the page is, by a word, a pattern and the address, and opens the other one. */
export function EnvironmentBand({
  environment,
  children,
}: {
  readonly environment: Environment;
  /** At its end. */
  readonly children: ReactNode;
}): ReactElement {
  const isLive = environment === "live";
  return (
    <section
      aria-label="Environment"
      className={cx(
        "on-band flex min-h-7 items-center gap-x-3 px-3 max-sm:flex-wrap max-sm:gap-x-0.5 text-small font-medium pointer-coarse:min-h-11",
        isLive ? "bg-live-bg text-live" : "stripes text-sandbox",
      )}
    >
      <div className="mr-auto flex min-w-0 items-center gap-3">
        <span className="flex items-center gap-1.5 font-semibold">
          {isLive && <span aria-hidden className="size-2 rounded-full bg-live-dot" />}
          {environmentNames[environment]}
        </span>
        <span className="truncate font-mono opacity-90 max-md:hidden">{location.host}</span>
        <span className="flex items-center gap-0.5">
          {environments.map((one) => (
            <EnvironmentLink key={one} environment={one} isPresent={one === environment} />
          ))}
        </span>
      </div>
      <div className="flex items-center gap-0.5 max-sm:contents">{children}</div>
    </section>
  );
}

/** Opens the same page in an environment, or its list. */
function EnvironmentLink({
  environment,
  isPresent,
}: {
  readonly environment: Environment;
  readonly isPresent: boolean;
}): ReactElement {
  const { parseSearch } = useRouter().options;
  const address = useLocation({
    select: ({ pathname, searchStr }) => addressIn(environment, { pathname, search: searchStr }),
  });
  const [pathname = "/", search = ""] = address.split("?");
  const link = useLinkProps({ to: pathname, search: parseSearch(search) as never });
  const name = environmentNames[environment];
  return (
    <a
      {...link}
      aria-label={`Open in ${name}`}
      // The router would call it the present page.
      aria-current={isPresent ? "true" : undefined}
      className={cx(
        "inline-flex min-h-6 items-center rounded-control px-2 underline-offset-2 pointer-coarse:min-h-11",
        isPresent ? "no-underline opacity-75 max-sm:sr-only" : "underline hover:bg-current/10",
      )}
    >
      <span className="max-sm:hidden">Open in&nbsp;</span>
      {name}
    </a>
  );
}
