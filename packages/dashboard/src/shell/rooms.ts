/* The rooms of the dashboard, in the order of the navigation. */
import type { LinkProps } from "@tanstack/react-router";
import { Activity, ClipboardCheck, History, House, Settings, Users, Workflow, type LucideIcon } from "lucide-react";

export interface Room {
  readonly name: string;
  readonly to: NonNullable<LinkProps["to"]>;
  readonly icon: LucideIcon;
  /** Whether only owners of both environments may open it. */
  readonly isForAdministrators?: boolean;
}

/** Rooms of one environment. */
export const rooms: readonly Room[] = [
  { name: "Home", to: "/$environment", icon: House },
  { name: "Runs", to: "/$environment/runs", icon: Activity },
  { name: "Pending Reviews", to: "/$environment/reviews", icon: ClipboardCheck },
  { name: "Procedures", to: "/$environment/procedures", icon: Workflow },
];

/** Rooms of the workspace. */
export const workspaceRooms: readonly Room[] = [
  { name: "People", to: "/people", icon: Users, isForAdministrators: true },
  { name: "Audit", to: "/audit", icon: History },
  { name: "Settings", to: "/settings", icon: Settings, isForAdministrators: true },
];

/** The room of a page, by the pattern of its address. */
export function roomAt(pattern: string): Room | undefined {
  return rooms.findLast(({ to }) => pattern === to || pattern.startsWith(`${to}/`));
}
