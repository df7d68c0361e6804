import type { ReactElement } from "react";
import { useNow } from "./now.ts";
import { useTimeZone } from "./preferences.ts";
import { formatAge, formatDuration, formatMoment, formatUntil } from "./time.ts";

/** A time with its zone. The tooltip has UTC. */
export function Moment({ at }: { readonly at: string }): ReactElement {
  const zone = useTimeZone();
  return (
    <time dateTime={at} title={`${formatMoment(at, "UTC")} (${at})`} className="whitespace-nowrap">
      {formatMoment(at, zone)}
    </time>
  );
}

/** How long ago something happened. The tooltip has the time. */
export function Age({ since }: { readonly since: string }): ReactElement {
  const zone = useTimeZone();
  const nowMs = useNow();
  return (
    <time dateTime={since} title={formatMoment(since, zone)} className="whitespace-nowrap">
      {formatAge(since, nowMs)}
    </time>
  );
}

/** How long is left until a time. */
export function Until({ at }: { readonly at: string }): ReactElement {
  const zone = useTimeZone();
  const nowMs = useNow();
  return (
    <time dateTime={at} title={formatMoment(at, zone)} className="whitespace-nowrap">
      {formatUntil(at, nowMs)}
    </time>
  );
}

/** The time from one moment to another, or until now. */
export function Elapsed({ from, to }: { readonly from: string; readonly to?: string | undefined }): ReactElement {
  const nowMs = useNow();
  const endMs = to === undefined ? nowMs : Date.parse(to);
  return <span className="whitespace-nowrap tabular-nums">{formatDuration(endMs - Date.parse(from))}</span>;
}
