import { useState, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { Alert, Problem } from "../ui/problem.tsx";
import { useNow } from "../values/now.ts";

/** Why a sign-in failed. */
export function SignInProblem({ problem }: { readonly problem: unknown }): ReactElement {
  if (hasCode(problem, "unauthorized")) return <Alert>E-mail or password is wrong.</Alert>;
  if (hasCode(problem, "rate_limited") && problem.retryAfterMs !== undefined) {
    return (
      <Alert>
        Too many attempts. <Countdown ms={problem.retryAfterMs} />
      </Alert>
    );
  }
  return <Problem error={problem} />;
}

/** Says when to try again. As a timer it is not announced each second. */
function Countdown({ ms }: { readonly ms: number }): ReactElement {
  const [endsAtMs] = useState(() => Date.now() + ms);
  const seconds = Math.ceil((endsAtMs - useNow()) / 1_000);
  return <span role="timer">{seconds > 0 ? `Try again in ${seconds} s.` : "Try again now."}</span>;
}
