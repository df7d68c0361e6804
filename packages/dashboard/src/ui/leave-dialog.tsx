import type { ReactElement, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** The choice to stay where something would be lost. */
export function LeaveDialog({
  title,
  onStay,
  onLeave,
  children,
}: {
  readonly title: string;
  readonly onStay: () => void;
  readonly onLeave: () => void;
  /** What is lost by leaving. */
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Dialog
      title={title}
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>Stay</Button>
          <Button variant="danger" onClick={onLeave}>
            Leave
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}
