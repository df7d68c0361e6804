import { Check, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type ReactElement } from "react";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import type { DecisionControls } from "./decision-controls.ts";
import { RejectDialog } from "./reject-dialog.tsx";

/** Approves or rejects. Live asks once more before an approval. */
export function ApproveOrReject({ review, outputs, shared, isSending, send }: DecisionControls): ReactElement {
  const environment = useEnvironment();
  const [asking, setAsking] = useState<"approve" | "reject">();
  const [reason, setReason] = useState("");
  const approve = (): void => {
    const read = outputs?.read() ?? { isValid: true };
    if (!read.isValid) return;
    send({ approved: true, ...(read.text !== undefined && { outputs: read.text }) });
  };
  const askToApprove = (): void => {
    if (environment !== "live") approve();
    else if (outputs === undefined || outputs.read().isValid) setAsking("approve");
  };
  const isOff = shared.disabled || isSending;
  // The shortcut is registered once, and approves with the present entries.
  const approveNow = useRef(askToApprove);
  useEffect(() => {
    approveNow.current = askToApprove;
  });
  const shortcuts = useMemo((): readonly Shortcut[] => {
    if (isOff) return [];
    return [
      { keys: "a", does: "Approve", run: () => approveNow.current() },
      { keys: "r", does: "Reject", run: () => setAsking("reject") },
    ];
  }, [isOff]);
  useShortcuts(shortcuts);
  return (
    <>
      <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
        <Button
          {...shared}
          icon={Check}
          variant="primary"
          aria-keyshortcuts="a"
          busyLabel={isSending ? "Sending …" : undefined}
          onClick={askToApprove}
        >
          {writeLabel("Approve", environment)}
        </Button>
        <Button
          {...shared}
          disabled={isOff}
          icon={X}
          variant="danger"
          aria-keyshortcuts="r"
          onClick={() => setAsking("reject")}
        >
          {writeLabel("Reject", environment)}
        </Button>
      </div>
      {asking === "approve" && (
        <ConfirmDialog
          title="Approve in live?"
          confirm="Approve Live"
          review={review}
          onClose={() => setAsking(undefined)}
          onConfirm={() => {
            setAsking(undefined);
            approve();
          }}
        />
      )}
      {asking === "reject" && (
        <RejectDialog
          title="Reject"
          reason={reason}
          setReason={setReason}
          onClose={() => setAsking(undefined)}
          onReject={(rejectionReason) => {
            setAsking(undefined);
            send({ approved: false, rejectionReason });
          }}
        />
      )}
    </>
  );
}
