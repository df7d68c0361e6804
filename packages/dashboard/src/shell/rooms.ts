/* The rooms of the dashboard, in the order of the navigation. */
import type { LinkProps } from "@tanstack/react-router";
import {
  Activity,
  ClipboardCheck,
  History,
  House,
  KeyRound,
  Plug,
  Settings,
  Timer,
  Users,
  Webhook,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import { isAdministrator, type DashboardSession } from "./abilities.ts";

export interface Room {
  readonly name: string;
  /** In the bar of narrow screens, which holds the rooms with a short name. */
  readonly shortName?: string;
  readonly to: NonNullable<LinkProps["to"]>;
  readonly icon: LucideIcon;
  /** Who may open it. @defaultValue everyone */
  readonly isFor?: (session: DashboardSession) => boolean;
}

/** Rooms of one environment. */
export const rooms: readonly Room[] = [
  { name: "Home", shortName: "Home", to: "/$environment", icon: House },
  { name: "Runs", shortName: "Runs", to: "/$environment/runs", icon: Activity },
  { name: "Pending Reviews", shortName: "Reviews", to: "/$environment/reviews", icon: ClipboardCheck },
  { name: "Procedures", to: "/$environment/procedures", icon: Workflow },
  { name: "Connections", to: "/$environment/connections", icon: Plug },
  { name: "Webhooks", to: "/$environment/webhooks", icon: Webhook },
  { name: "API Keys", to: "/$environment/api-keys", icon: KeyRound },
  { name: "Triggers", to: "/$environment/triggers", icon: Timer },
];

/** Rooms of the workspace. */
export const workspaceRooms: readonly Room[] = [
  { name: "People", to: "/people", icon: Users, isFor: isAdministrator },
  { name: "Audit", to: "/audit", icon: History },
  { name: "Settings", to: "/settings", icon: Settings, isFor: isAdministrator },
];

/** The rooms that a person may open. */
export function roomsFor(session: DashboardSession, of: readonly Room[]): readonly Room[] {
  return of.filter(({ isFor }) => isFor?.(session) !== false);
}
