import type { ReactElement } from "react";
import { LeaveGuard } from "../values/leave-guard.tsx";

export const unsavedQuestion = "Leave without saving?";
export const unsavedLoss = "What you entered on this page is lost.";

/** Asks before a form is left whose input was not saved. A form in which nothing was entered is left at once. */
export function UnsavedGuard({
  isDirty,
  isDialog = false,
}: {
  readonly isDirty: boolean;
  /** Whether the form is in a dialog. */
  readonly isDialog?: boolean;
}): ReactElement | null {
  if (!isDirty) return null;
  return (
    <LeaveGuard title={unsavedQuestion} isDialog={isDialog}>
      {unsavedLoss}
    </LeaveGuard>
  );
}
