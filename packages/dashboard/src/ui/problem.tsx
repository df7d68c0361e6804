import { RotateCw, TriangleAlert } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { ApiError } from "../api/api-error.ts";
import { Copy } from "./copy.tsx";
import { Button } from "./button.tsx";

/** A message about something that failed or needs attention, announced when it appears. */
export function Alert({
  children,
  tone = "failed",
}: {
  readonly children: ReactNode;
  readonly tone?: "failed" | "review";
}): ReactElement {
  const colours = tone === "failed" ? "bg-failed-bg text-failed" : "bg-review-bg text-review";
  return (
    <div role="alert" className={`flex items-start gap-2 rounded-panel px-3 py-2 ${colours}`}>
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 font-medium wrap-anywhere">{children}</div>
    </div>
  );
}

/** The failure of a request: its message, its request id, and another attempt. */
export function Problem({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}): ReactElement {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert>
      <p>{messageOf(error)}</p>
      {requestId !== undefined && (
        <p className="mt-1 flex items-center gap-1 text-small font-normal">
          <span>
            Request <code className="font-mono">{requestId}</code>
          </span>
          <Copy what="request id" text={requestId} />
        </p>
      )}
      {onRetry !== undefined && (
        <Button icon={RotateCw} className="mt-2" onClick={onRetry}>
          Retry
        </Button>
      )}
    </Alert>
  );
}

/** The message of an error, for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return "This page failed. Reload it; if it fails again, tell the operator of this service.";
}
