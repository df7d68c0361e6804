import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleDot, RefreshCw } from "lucide-react";
import { useEffect, useState, type ReactElement } from "react";
import { followChanges, type LiveState } from "../api/live-updates.ts";
import type { Environment } from "../api/models.ts";
import { keysOfChange } from "../api/query-keys.ts";
import { useTimeZone } from "../values/preferences.ts";
import { formatMoment } from "../values/time.ts";

/** Follows the changes of the environment, reads again what they name, and says whether the page is up to date. */
export function UpdateState({ environment }: { readonly environment: Environment }): ReactElement {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>({ kind: "up_to_date" });
  const zone = useTimeZone();
  useEffect(
    () =>
      followChanges({
        environment,
        onState: setState,
        onChanges: (changes) => {
          if (changes.some(({ kind }) => kind === "resync")) {
            void queryClient.invalidateQueries();
            return;
          }
          for (const change of changes) {
            if (change.kind === "resync") continue;
            for (const queryKey of keysOfChange(change, environment)) void queryClient.invalidateQueries({ queryKey });
          }
        },
      }),
    [environment, queryClient],
  );
  const [Icon, text] =
    state.kind === "up_to_date"
      ? [CircleDot, "Up to date"]
      : state.kind === "reconnecting"
        ? [RefreshCw, "Reconnecting"]
        : [CircleAlert, `Out of date since ${formatMoment(new Date(state.sinceMs).toISOString(), zone)}`];
  return (
    <span role="status" aria-label="Updates" className="flex items-center gap-1 px-1 whitespace-nowrap">
      <Icon aria-hidden size={12} />
      {text}
    </span>
  );
}
