import type { ReactElement, ReactNode } from "react";
import type { Review } from "../api/models.ts";
import { Button } from "../ui/button.tsx";
import { Alert } from "../ui/problem.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { ValueList } from "./value-list.tsx";

/** Both versions of a review that changed under its reader, side by side. */
export function StaleReview({
  before,
  after,
  onRead,
}: {
  readonly before: Review;
  readonly after: Review;
  readonly onRead: () => void;
}): ReactElement {
  return (
    <Changed
      before={before}
      after={after}
      action={
        <Button variant="primary" className="self-start" onClick={onRead}>
          Read the present version
        </Button>
      }
    >
      Nothing was decided. Compare both versions, then decide about the present one.
    </Changed>
  );
}

/** Tells that another question is open than the one that was read. */
export function Changed({
  before,
  after,
  children,
  action,
}: {
  readonly before: Review;
  readonly after: Review;
  readonly children: ReactNode;
  readonly action: ReactNode;
}): ReactElement {
  return (
    <div className="flex flex-col gap-3">
      <Alert tone="review">
        <p>This changed while you were reading.</p>
        <p className="font-normal text-text">{children}</p>
      </Alert>
      <div className="grid gap-3 md:grid-cols-2">
        <VersionOf title="As you read it" review={before} />
        <VersionOf title="As it is now" review={after} />
      </div>
      {action}
    </div>
  );
}

function VersionOf({ title, review }: { readonly title: string; readonly review: Review }): ReactElement {
  const { call, data } = review;
  return (
    <section aria-label={title} className="flex flex-col gap-2 rounded-panel border border-hairline bg-canvas p-3">
      <h2 className="text-small font-semibold text-text-2">{title}</h2>
      <p className="font-medium wrap-anywhere">{review.title}</p>
      {call !== undefined && (
        <>
          <p className="wrap-anywhere text-text-2">
            {call.action} at {call.connection}
          </p>
          <ValueList value={call.arguments as JsonValue} />
        </>
      )}
      <ValueList value={data as JsonValue} />
    </section>
  );
}
