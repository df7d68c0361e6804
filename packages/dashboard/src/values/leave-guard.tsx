import { useBlocker } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import { LeaveDialog } from "../ui/leave-dialog.tsx";

/** Asks before the page is left, while it is rendered. */
export function LeaveGuard({
  title,
  isDialog = false,
  children,
}: {
  readonly title: string;
  /** Whether a dialog is left, which a change of the address's search parameters may close. */
  readonly isDialog?: boolean;
  /** What is lost by leaving. */
  readonly children: ReactNode;
}): ReactElement | null {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDialog || current.pathname !== next.pathname,
    withResolver: true,
    enableBeforeUnload: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <LeaveDialog title={title} onStay={blocker.reset} onLeave={blocker.proceed}>
      {children}
    </LeaveDialog>
  );
}

/** Asks before a secret is lost that was not stored. */
export function SecretGuard(): ReactElement {
  return (
    <LeaveGuard title="Leave without storing it?">
      It cannot be shown again. If it is not stored, a new one has to be created.
    </LeaveGuard>
  );
}
