import type { ReactElement } from "react";
import type { Trigger } from "../api/models.ts";
import { Alert } from "../ui/problem.tsx";
import { Moment } from "../values/moment.tsx";
import { placeWords } from "./place-words.ts";

/** Why a trigger is paused, fails or needs a person. */
export function TriggerTrouble({
  trigger: { problems, paused, health, updatedBy },
}: {
  readonly trigger: Trigger;
}): ReactElement | null {
  const { status, consecutiveFailures: failures } = health;
  const times = failures >= 100 ? "100 or more" : String(failures);
  if (problems.length === 0 && paused === undefined && status === "ok") return null;
  return (
    <>
      {paused !== undefined && (
        <Alert tone="review">
          <p>
            {paused.by === "procedo"
              ? `Paused by the service after ${times} failures in a row`
              : `Paused by ${paused.by}`}
            , <Moment at={paused.at} />.
          </p>
          {paused.reason !== undefined && <p className="font-normal text-text">{paused.reason}</p>}
          {paused.events === "hold" && (
            <p className="font-normal text-text">Events wait, and start their runs when it is resumed.</p>
          )}
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert>
          <p>This trigger does not fit its procedure or its connection any more. Edit it.</p>
          <ul className="list-disc pl-5 font-normal text-text">
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{placeWords(path, message)}</li>
            ))}
          </ul>
        </Alert>
      )}
      {problems.length === 0 && status === "needs_attention" && paused?.by !== "procedo" && (
        <Alert>
          {updatedBy} may not start runs any more, so that this trigger starts none. Edit and save it to start its runs
          for you.
        </Alert>
      )}
      {status === "failing" && (
        <Alert>
          {failures === 1
            ? "The newest firing or its run failed."
            : `The newest ${times} firings or their runs failed.`}{" "}
          The firings below say why.
        </Alert>
      )}
    </>
  );
}
