import { CircleCheck, CircleHelp, CircleX, Hourglass, LoaderCircle, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import { cx } from "./cx.ts";
import { statusWord, type ShownStatus } from "./status-word.ts";

interface Look {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly background: string;
}

const looks: Readonly<Record<ShownStatus, Look>> = {
  running: { icon: LoaderCircle, text: "text-running", background: "bg-running-bg" },
  awaiting_review: { icon: Hourglass, text: "text-review", background: "bg-review-bg" },
  completed: { icon: CircleCheck, text: "text-completed", background: "bg-completed-bg" },
  failed: { icon: CircleX, text: "text-failed", background: "bg-failed-bg" },
  outcome_unknown: { icon: CircleHelp, text: "text-unknown", background: "bg-unknown-bg" },
};

export function StatusBadge({
  status,
  isPlain = false,
}: {
  readonly status: ShownStatus;
  /** Without a background, in dense tables. */
  readonly isPlain?: boolean;
}): ReactElement {
  const { text, background } = looks[status];
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1.5 font-medium whitespace-nowrap",
        text,
        !isPlain && `rounded-full px-2 py-0.5 text-small ${background}`,
      )}
    >
      <StatusIcon status={status} />
      {statusWord(status)}
    </span>
  );
}

/** The icon alone, for places that tell the word otherwise. */
export function StatusIcon({ status }: { readonly status: ShownStatus }): ReactElement {
  const { icon: Icon, text } = looks[status];
  const motion = status === "running" && "motion-safe:animate-spin";
  return <Icon aria-hidden size={14} strokeWidth={2.2} className={cx("shrink-0", text, motion)} />;
}
