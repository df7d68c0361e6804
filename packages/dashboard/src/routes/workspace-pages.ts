/* The pages of the workspace, with their search parameters. */
import { createRoute } from "@tanstack/react-router";
import { readAuditFilters } from "../audit/audit-filters.ts";
import { lazyPage } from "../shell/lazy-page.ts";
import { textSearch } from "../values/search-params.ts";
import { workspace } from "./frames.tsx";

export const account = createRoute({
  getParentRoute: () => workspace,
  path: "/account",
  component: lazyPage(() => import("../account/account-page.tsx"), "AccountPage"),
});

export const people = createRoute({
  getParentRoute: () => workspace,
  path: "/people",
  validateSearch: textSearch("edit"),
  component: lazyPage(() => import("../people/people-page.tsx"), "PeoplePage"),
});

export const audit = createRoute({
  getParentRoute: () => workspace,
  path: "/audit",
  validateSearch: readAuditFilters,
  component: lazyPage(() => import("../audit/audit-page.tsx"), "AuditPage"),
});

export const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  component: lazyPage(() => import("../settings/settings-page.tsx"), "SettingsPage"),
});
