import { useState, type FormEvent, type ReactElement } from "react";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";

const maxReasonLength = 5_000;

/** Asks for the reason of a rejection, which the record keeps. */
export function RejectDialog({
  isUnknown,
  onClose,
  onReject,
}: {
  readonly isUnknown: boolean;
  readonly onClose: () => void;
  readonly onReject: (reason: string) => void;
}): ReactElement {
  const environment = useEnvironment();
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onReject(reason.trim());
  };
  const title = isUnknown ? "It did not happen" : "Reject";
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
          hint="Stored in the record of the run."
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
