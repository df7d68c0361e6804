import { Check, RotateCw, X } from "lucide-react";
import { useId, useState, type ReactElement, type ReactNode } from "react";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Age } from "../values/moment.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import type { DecisionControls } from "./decision-controls.ts";
import { RejectDialog } from "./reject-dialog.tsx";

type Answer = "It happened" | "Send again" | "It did not happen";

/** The three answers about a call whose outcome is unknown, each with its consequence. Live asks once more. */
export function OutcomeAnswers({ review, outputs, shared, isSending, send }: DecisionControls): ReactElement {
  const environment = useEnvironment();
  const [asking, setAsking] = useState<Answer>();
  const [reason, setReason] = useState("");
  const hasResult = review.decisions.some(({ outputs: result }) => result !== undefined);

  const happened = (): void => {
    const read = outputs?.read();
    if (read?.isValid === true) send({ approved: true, outputs: read.text ?? "{}" });
  };
  const sendAgain = (): void => send({ approved: true });
  const ask = (answer: Answer): void => {
    if (answer === "It happened" && outputs?.read().isValid !== true) return;
    if (answer === "It did not happen" || environment === "live") setAsking(answer);
    else if (answer === "It happened") happened();
    else sendAgain();
  };
  const close = (): void => setAsking(undefined);
  const facts = { shared: { ...shared, disabled: shared.disabled || isSending }, ask };
  return (
    <>
      <div className="flex flex-col gap-2">
        <AnswerRow {...facts} answer="It happened" icon={Check}>
          The run goes on with the result that you entered. Nothing is sent.
        </AnswerRow>
        <AnswerRow {...facts} answer="Send again" icon={RotateCw} isOff={hasResult}>
          {hasResult ? "Another reviewer entered a result, so the call is not sent again." : <KeyAge review={review} />}
        </AnswerRow>
        <AnswerRow {...facts} answer="It did not happen" icon={X}>
          The run fails with your reason. Nothing is sent.
        </AnswerRow>
      </div>
      {asking === "It happened" && (
        <ConfirmDialog
          title="Record that it happened in live?"
          confirm="It happened Live"
          review={review}
          onClose={close}
          onConfirm={() => {
            close();
            happened();
          }}
        />
      )}
      {asking === "Send again" && (
        <ConfirmDialog
          title="Send again in live?"
          confirm="Send again Live"
          review={review}
          onClose={close}
          onConfirm={() => {
            close();
            sendAgain();
          }}
        >
          <KeyAge review={review} />
        </ConfirmDialog>
      )}
      {asking === "It did not happen" && (
        <RejectDialog
          title="It did not happen"
          reason={reason}
          setReason={setReason}
          onClose={close}
          onReject={(rejectionReason) => {
            close();
            send({ approved: false, rejectionReason });
          }}
        />
      )}
    </>
  );
}

function AnswerRow({
  answer,
  icon,
  shared,
  isOff = false,
  ask,
  children,
}: {
  readonly answer: Answer;
  readonly icon: typeof Check;
  readonly shared: DecisionControls["shared"];
  readonly isOff?: boolean;
  readonly ask: (answer: Answer) => void;
  readonly children: ReactNode;
}): ReactElement {
  const environment = useEnvironment();
  const meaningId = useId();
  const reasonId = shared["aria-describedby"];
  return (
    <div className="grid grid-cols-[11.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-1 max-sm:grid-cols-1">
      <Button
        disabled={shared.disabled || isOff}
        aria-describedby={reasonId === undefined ? meaningId : `${reasonId} ${meaningId}`}
        icon={icon}
        variant={answer === "It did not happen" ? "danger" : "secondary"}
        onClick={() => ask(answer)}
      >
        {writeLabel(answer, environment)}
      </Button>
      <p id={meaningId} className="text-small text-text-2">
        {children}
      </p>
    </div>
  );
}

/** What another attempt risks, by the age of its idempotency key. */
function KeyAge({ review: { data } }: Pick<DecisionControls, "review">): ReactElement {
  const [firstSentAt, expiresAt] = [data["firstSentAt"], data["idempotencyKeyExpiresAt"]];
  return (
    <>
      Sends the same call with the same idempotency key
      {typeof firstSentAt === "string" && (
        <>
          , first sent <Age since={firstSentAt} />
        </>
      )}
      . {risk(expiresAt)}
    </>
  );
}

function risk(expiresAt: unknown): string {
  if (typeof expiresAt !== "string") return "If the other service ignores the key, it may happen twice.";
  return Date.parse(expiresAt) > Date.now()
    ? "The other service still knows the key, so it happens once."
    : "The other service has forgotten the key: it may happen twice.";
}
