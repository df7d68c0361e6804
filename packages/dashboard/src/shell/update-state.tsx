import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { CircleAlert, CircleDot, RefreshCw } from "lucide-react";
import { useEffect, useState, useSyncExternalStore, type ReactElement } from "react";
import { followChanges, type LiveState } from "../api/live-updates.ts";
import type { Environment } from "../api/models.ts";
import { keysOfChange } from "../api/query-keys.ts";
import { createRefresh, isOutdated } from "../api/refresh.ts";
import { cx } from "../ui/cx.ts";
import { useTimeZone } from "../values/preferences.ts";
import { formatMoment } from "../values/time.ts";
import { goToSignIn } from "./sign-out.ts";

/** The pages of a service do not all read at the same moment. */
const longestResyncMs = 2_000;

/** Follows the changes of the environment, reads again what they name, and says whether the page is up to date. */
export function UpdateState({ environment }: { readonly environment: Environment }): ReactElement {
  const queryClient = useQueryClient();
  const router = useRouter();
  const [state, setState] = useState<LiveState>({ kind: "up_to_date" });
  const outdatedMs = useOutdated();
  const zone = useTimeZone();
  useEffect(() => {
    const refresh = createRefresh(queryClient);
    let resync: ReturnType<typeof setTimeout> | undefined;
    const stop = followChanges({
      environment,
      onState: setState,
      onOpen: refresh.readAll,
      onChanges: (changes) => {
        for (const change of changes) {
          if (change.kind !== "resync") refresh.read(keysOfChange(change, environment));
          else {
            resync ??= setTimeout(() => {
              resync = undefined;
              refresh.readAll();
            }, Math.random() * longestResyncMs);
          }
        }
      },
      onSignedOut: () => void goToSignIn(router, queryClient),
    });
    return () => {
      stop();
      clearTimeout(resync);
    };
  }, [environment, queryClient, router]);

  const sinceMs = state.kind === "out_of_date" ? state.sinceMs : outdatedMs;
  const [Icon, text] =
    state.kind === "refused"
      ? [CircleAlert, "No access"]
      : sinceMs !== undefined
        ? [CircleAlert, `Out of date since ${formatMoment(new Date(sinceMs).toISOString(), zone)}`]
        : state.kind === "reconnecting"
          ? [RefreshCw, "Reconnecting"]
          : [CircleDot, "Up to date"];
  return (
    <span
      role="status"
      aria-label="Updates"
      title={text}
      className={cx(
        "flex min-w-0 items-center gap-1 px-1",
        // On narrow screens in a line of its own.
        sinceMs !== undefined && "max-sm:order-last max-sm:basis-full max-sm:px-0 max-sm:pb-1.5",
      )}
    >
      <Icon aria-hidden size={12} className="shrink-0" />
      <span className={cx("truncate", sinceMs === undefined && "max-sm:sr-only")}>{text}</span>
    </span>
  );
}

/** Since when a part of the page is shown as it was before a read that failed. */
function useOutdated(): number | undefined {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => {
      const times = cache.findAll({ predicate: isOutdated }).map(({ state }) => state.dataUpdatedAt);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  );
}
