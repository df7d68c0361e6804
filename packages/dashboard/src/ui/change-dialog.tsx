import type { ReactElement, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";

/** Asks before a change is made, and says why it failed. */
export function ChangeDialog({
  title,
  isWide = false,
  label,
  busyLabel,
  variant,
  change,
  onChange,
  onClose,
  children,
}: {
  readonly title: string;
  readonly isWide?: boolean;
  /** Of the button that makes the change. */
  readonly label: string;
  /** The same while the change is under way. */
  readonly busyLabel: string;
  readonly variant: "danger" | "primary";
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onChange: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button variant={variant} busyLabel={change.isPending ? busyLabel : undefined} onClick={onChange}>
            {label}
          </Button>
        </>
      }
    >
      {children}
      {change.error !== null && <Problem error={change.error} />}
    </Dialog>
  );
}
