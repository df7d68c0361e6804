import {
  CircleAlert,
  CircleCheck,
  CirclePause,
  CirclePlay,
  CircleX,
  Hourglass,
  LoaderCircle,
  SkipForward,
  type LucideIcon,
} from "lucide-react";
import type { ReactElement } from "react";
import type { Firing } from "../api/models.ts";
import { firingStatusWords } from "./firing-words.ts";
import { stateWords, type TriggerState } from "./trigger-state.ts";

interface Look {
  readonly icon: LucideIcon;
  readonly colour: string;
}

const stateLooks: Readonly<Record<TriggerState, Look>> = {
  needs_attention: { icon: CircleAlert, colour: "text-failed" },
  failing: { icon: CircleX, colour: "text-failed" },
  paused: { icon: CirclePause, colour: "text-review" },
  active: { icon: CircleCheck, colour: "text-completed" },
};

const firingLooks: Readonly<Record<Firing["status"], Look>> = {
  pending: { icon: LoaderCircle, colour: "text-running" },
  waiting: { icon: Hourglass, colour: "text-review" },
  started: { icon: CirclePlay, colour: "text-completed" },
  skipped: { icon: SkipForward, colour: "text-text-2" },
  failed: { icon: CircleX, colour: "text-failed" },
};

export function TriggerStateBadge({ state }: { readonly state: TriggerState }): ReactElement {
  return <Badge look={stateLooks[state]} word={stateWords[state]} />;
}

export function FiringBadge({ status }: { readonly status: Firing["status"] }): ReactElement {
  return <Badge look={firingLooks[status]} word={firingStatusWords[status]} />;
}

function Badge({ look: { icon: Icon, colour }, word }: { readonly look: Look; readonly word: string }): ReactElement {
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${colour}`}>
      <Icon aria-hidden size={14} strokeWidth={2.2} className="shrink-0" />
      {word}
    </span>
  );
}
