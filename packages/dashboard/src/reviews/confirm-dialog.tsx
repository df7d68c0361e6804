import type { ReactElement, ReactNode } from "react";
import type { Review } from "../api/models.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { shownParts } from "./shown-parts.ts";
import { ValueList } from "./value-list.tsx";

/** Asks once more in live, with the question and the call that it is about. */
export function ConfirmDialog({
  title,
  confirm,
  review,
  children,
  onClose,
  onConfirm,
}: {
  readonly title: string;
  /** Label of the button that decides. */
  readonly confirm: string;
  readonly review: Review;
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}): ReactElement {
  const { call } = shownParts(review);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button variant="primary" onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <p className="text-section font-semibold wrap-anywhere">{review.title}</p>
      {call !== undefined && (
        <div className="flex flex-col gap-1">
          <p className="wrap-anywhere text-text-2">
            {call.action} at {call.origin ?? call.connection}
            {call.account !== undefined && `, account ${call.account}`}
          </p>
          <ValueList value={call.arguments} isProminent />
        </div>
      )}
      {children !== undefined && <p className="text-text-2">{children}</p>}
    </Dialog>
  );
}
