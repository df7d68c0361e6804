import { useState, type FormEvent, type ReactElement, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LeaveDialog } from "../ui/leave-dialog.tsx";
import { Problem } from "../ui/problem.tsx";
import { UnsavedGuard, unsavedLoss, unsavedQuestion } from "./unsaved-guard.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  /** Of the button that sends the form. */
  readonly label: string;
  /** The same while the request is under way; `undefined` otherwise. */
  readonly busyLabel: string | undefined;
  /** Whether the form may be sent. @defaultValue true */
  readonly isReady?: boolean;
  /** Whether something was entered that closing would lose. */
  readonly isDirty: boolean;
  /** Leaves the checks of fields to the form itself. */
  readonly noValidate?: boolean;
  /** The failure of the request that no field shows. */
  readonly error: unknown;
  /** Of the button that closes the dialog. @defaultValue "Back" */
  readonly closeLabel?: string;
  /** Beside the buttons. */
  readonly aside?: ReactNode;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form in a dialog, which asks before it is closed with input that was not sent. */
export function FormDialog({
  title,
  isWide = false,
  label,
  busyLabel,
  isReady = true,
  isDirty,
  noValidate = false,
  error,
  closeLabel = "Back",
  aside,
  onSubmit,
  onClose,
  children,
}: FormDialogProps): ReactElement {
  const [isAsking, setAsking] = useState(false);
  const close = (): void => (isDirty ? setAsking(true) : onClose());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <>
      {/* Before the form: it has to be closed first, or the page could not take the focus back. */}
      {isAsking && (
        <LeaveDialog title={unsavedQuestion} onStay={() => setAsking(false)} onLeave={onClose}>
          {unsavedLoss}
        </LeaveDialog>
      )}
      <Dialog title={title} isWide={isWide} onClose={close}>
        <form onSubmit={submit} noValidate={noValidate} className="flex flex-col gap-4">
          {children}
          {error !== null && <Problem error={error} />}
          <div className="flex flex-wrap justify-end gap-2">
            {aside}
            <Button onClick={close}>{closeLabel}</Button>
            <Button type="submit" variant="primary" disabled={!isReady} busyLabel={busyLabel}>
              {label}
            </Button>
          </div>
        </form>
      </Dialog>
      <UnsavedGuard isDirty={isDirty} isDialog />
    </>
  );
}
