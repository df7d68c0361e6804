import type { ReactElement } from "react";
import { ApiError, hasCode } from "../api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { Alert, Problem } from "../ui/problem.tsx";

/** Why a decision was not recorded, and what to do. */
export function DecisionProblem({
  error,
  readAgain,
}: {
  readonly error: unknown;
  readonly readAgain: () => void;
}): ReactElement | null {
  if (error === null || error === undefined) return null;
  if (hasCode(error, "offline", "unexpected")) {
    return (
      <Alert>
        <p>No answer came from the service.</p>
        <p className="font-normal text-text">
          Your decision may or may not have been recorded. Press the same button again: it counts once.
        </p>
      </Alert>
    );
  }
  if (hasCode(error, "review_digest_mismatch")) {
    return (
      <Alert tone="review">
        <p>This changed while you were reading.</p>
        <p className="font-normal text-text">Nothing was decided.</p>
        <Button className="mt-2" onClick={readAgain}>
          Read the present version
        </Button>
      </Alert>
    );
  }
  if (hasCode(error, "already_decided", "already_ended")) {
    return (
      <Alert tone="review">
        <p>Already decided</p>
        <p className="font-normal text-text">{error.message}</p>
      </Alert>
    );
  }
  const others = error instanceof ApiError ? error.details.filter(({ path }) => !path.startsWith("/outputs")) : [];
  return (
    <>
      <Problem error={error} />
      {others.length > 0 && (
        <ul className="list-disc pl-5">
          {others.map(({ path, message }) => (
            <li key={path}>
              <code className="font-mono text-code">{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
