import { CircleCheck } from "lucide-react";
import type { ReactElement } from "react";
import { Alert, Problem } from "../ui/problem.tsx";
import type { useTestConnection } from "./use-change-connection.ts";

/** The result of the latest test, announced when it comes. */
export function TestResult({ test }: { readonly test: ReturnType<typeof useTestConnection> }): ReactElement {
  const result = test.data;
  return (
    <>
      <div role="status" aria-label="Test" className="empty:hidden">
        {result?.ok === true && <Success>{`The connection works.${accountOf(result)}`}</Success>}
      </div>
      {result?.ok === false && <Alert>The test failed. {result.error}</Alert>}
      {test.error !== null && <Problem error={test.error} />}
    </>
  );
}

function accountOf({ account }: { readonly account?: { readonly name: string } }): string {
  return account === undefined ? "" : ` Its account is ${account.name}.`;
}

/** Something that went well, where the page would not show it otherwise. */
export function Success({ children }: { readonly children: string }): ReactElement {
  return (
    <p className="flex items-start gap-2 rounded-panel bg-completed-bg px-3 py-2 font-medium text-completed">
      <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}
