import type { MouseEvent, ReactElement, ReactNode } from "react";
import type { Environment } from "../api/models.ts";
import { AccountMenu } from "./account-menu.tsx";
import { EnvironmentBand } from "./environment-band.tsx";
import { environmentNames } from "./environment.ts";
import { Navigation } from "./navigation.tsx";
import { SearchButton } from "./search-button.tsx";
import { environmentsOf, useSession } from "./session.ts";
import { Shortcuts } from "./shortcuts-sheet.tsx";
import { UpdateState } from "./update-state.tsx";

/** Everything around a page: environment, navigation, state of updates, search and account. */
export function Frame({
  environment,
  children,
}: {
  readonly environment: Environment;
  readonly children: ReactNode;
}): ReactElement {
  const isReached = environmentsOf(useSession()).includes(environment);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        onClick={skipToContent}
        data-print="hide"
        className="sr-only focus:not-sr-only focus:fixed focus:top-1 focus:left-1 focus:z-30 focus:rounded-control focus:bg-surface focus:px-3 focus:py-1.5 focus:font-medium"
      >
        Skip to content
      </a>
      <header role="banner" className="sticky top-0 z-10" data-print="hide">
        <EnvironmentBand environment={environment}>
          {isReached && <UpdateState key={environment} environment={environment} />}
          <SearchButton environment={environment} />
          <Shortcuts environment={environment} />
          <AccountMenu />
        </EnvironmentBand>
      </header>
      {/* A sheet of paper names the environment too. */}
      <p className="hidden border-b border-hairline pb-2 text-small font-semibold print:block">
        Procedo · {environmentNames[environment]} · {location.host}
      </p>
      <div className="flex min-h-0 flex-1">
        <Navigation environment={environment} />
        <div className="min-w-0 flex-1 max-sm:pb-16">{children}</div>
      </div>
    </div>
  );
}

/** The page's base address would lead a plain link to a fragment to another page. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  const main = document.querySelector("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}
