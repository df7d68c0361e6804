import type { ReactElement } from "react";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** Asks before an event is sent that the receiver has accepted already. */
export function ResendDialog({
  onClose,
  onResend,
}: {
  readonly onClose: () => void;
  readonly onResend: () => void;
}): ReactElement {
  const environment = useEnvironment();
  return (
    <Dialog
      title="Send a delivered event again?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button variant="primary" onClick={onResend}>
            {writeLabel("Resend", environment)}
          </Button>
        </>
      }
    >
      <p>
        The receiver has accepted this event before. It is sent again under the same id, by which the receiver can tell
        that it is a repetition.
      </p>
    </Dialog>
  );
}
