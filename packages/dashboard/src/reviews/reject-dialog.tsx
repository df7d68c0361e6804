import type { FormEvent, ReactElement } from "react";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";

const maxReasonLength = 5_000;

/** Asks for the reason of a rejection, which the record keeps. */
export function RejectDialog({
  title,
  reason,
  setReason,
  onClose,
  onReject,
}: {
  readonly title: "Reject" | "It did not happen";
  /** Kept outside, so that it is still there after an attempt that failed. */
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  readonly onClose: () => void;
  readonly onReject: (reason: string) => void;
}): ReactElement {
  const environment = useEnvironment();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onReject(reason.trim());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label="Reason"
          required
          autoFocus
          maxLength={maxReasonLength}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          hint="Everyone who sees the run can read it. It stays in the record."
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant="danger" disabled={reason.trim() === ""}>
            {writeLabel(title, environment)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
