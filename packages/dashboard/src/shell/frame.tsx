import { Outlet } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { AccountMenu } from "./account-menu.tsx";
import { EnvironmentBand } from "./environment-band.tsx";
import { Navigation } from "./navigation.tsx";
import { Shortcuts } from "./shortcuts-sheet.tsx";
import { UpdateState } from "./update-state.tsx";

/** Everything around a page: environment, navigation, state of updates, and account. */
export function Frame({ environment }: { readonly environment: Environment }): ReactElement {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:bg-surface focus:p-2"
      >
        Skip to content
      </a>
      <header role="banner" className="sticky top-0 z-10" data-print="hide">
        <EnvironmentBand environment={environment}>
          <UpdateState key={environment} environment={environment} />
          <Shortcuts environment={environment} />
          <AccountMenu />
        </EnvironmentBand>
      </header>
      <div className="flex min-h-0 flex-1">
        <Navigation environment={environment} />
        <div className="min-w-0 flex-1 max-sm:pb-16">
          <Outlet />
        </div>
      </div>
    </div>
  );
}
