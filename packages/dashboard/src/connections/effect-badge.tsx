import { CircleAlert, Eye, Repeat, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { Action } from "../api/models.ts";

type Effect = Action["effect"];

const looks: Readonly<Record<Effect, { readonly icon: LucideIcon; readonly word: string; readonly colour: string }>> = {
  read: { icon: Eye, word: "Reads", colour: "text-text-2" },
  idempotent: { icon: Repeat, word: "Repeatable", colour: "text-running" },
  once: { icon: CircleAlert, word: "Once", colour: "text-review" },
};

/** The meaning of an effect, for people. */
export const effectMeanings: Readonly<Record<Effect, string>> = {
  read: "It changes nothing at the service.",
  idempotent: "It may be repeated: the service makes it once for each key.",
  once: "It must not be repeated. If its outcome is unknown, a person decides.",
};

/** The effect of a call on the other system. */
export function EffectBadge({ effect }: { readonly effect: Effect }): ReactElement {
  const { icon: Icon, word, colour } = looks[effect];
  return (
    <span
      title={effectMeanings[effect]}
      className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${colour}`}
    >
      <Icon aria-hidden size={14} className="shrink-0" /> {word}
    </span>
  );
}
