import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Problem } from "../ui/problem.tsx";
import { cronWords } from "./cron-words.ts";
import { NextTimes } from "./next-times.tsx";
import { placeWords } from "./place-words.ts";
import { cronOf } from "./repetition.ts";
import { sourceOf, type TriggerDraft } from "./trigger-draft.ts";
import { nextTimesOf } from "./use-triggers.ts";

/** A schedule in words, and its next five times, while it is edited. */
export function SchedulePreview({ draft }: { readonly draft: TriggerDraft }): ReactElement {
  const environment = useEnvironment();
  const { data, error, isPlaceholderData } = useQuery(nextTimesOf(environment, sourceOf(draft)));
  const words = cronWords(cronOf(draft.schedule.repetition));
  return (
    <section aria-label="Next times" className="flex flex-col gap-2" aria-busy={isPlaceholderData}>
      <p role="status" className="font-medium">
        {words === undefined ? "" : `${words} in ${draft.schedule.timeZone}.`}
      </p>
      {hasCode(error, "invalid_input") ? (
        <ul className="text-failed">
          {error.details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{placeWords(path.replace(/^\/source/, ""), message)}</li>
          ))}
        </ul>
      ) : (
        error !== null && <Problem error={error} />
      )}
      {error === null && data !== undefined && (
        <>
          <NextTimes times={data} timeZone={draft.schedule.timeZone} />
          {data.length === 0 && <p className="text-text-2">It has no time left.</p>}
        </>
      )}
    </section>
  );
}
