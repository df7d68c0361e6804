/* The rooms of the dashboard, in the order of the navigation. */
import type { LinkProps } from "@tanstack/react-router";
import { Activity, ClipboardCheck, House, Users, Workflow, type LucideIcon } from "lucide-react";

export interface Room {
  readonly name: string;
  readonly to: NonNullable<LinkProps["to"]>;
  readonly icon: LucideIcon;
}

/** Rooms of one environment. */
export const rooms: readonly Room[] = [
  { name: "Home", to: "/$environment", icon: House },
  { name: "Runs", to: "/$environment/runs", icon: Activity },
  { name: "Pending Reviews", to: "/$environment/reviews", icon: ClipboardCheck },
  { name: "Procedures", to: "/$environment/procedures", icon: Workflow },
];

/** Rooms of the workspace, for its administrators. */
export const workspaceRooms: readonly Room[] = [{ name: "People", to: "/people", icon: Users }];

/** The room of a page, by the pattern of its address. */
export function roomAt(pattern: string): Room | undefined {
  return rooms.findLast(({ to }) => pattern === to || pattern.startsWith(`${to}/`));
}
