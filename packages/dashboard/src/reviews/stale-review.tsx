import type { ReactElement } from "react";
import type { Review } from "../api/models.ts";
import { Button } from "../ui/button.tsx";
import { Alert } from "../ui/problem.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { ValueList } from "./value-list.tsx";

/** Both states of a review that changed under its reader, side by side. */
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
    <div className="flex flex-col gap-3">
      <Alert tone="review">This changed while you were reading.</Alert>
      <div className="grid gap-4 md:grid-cols-2">
        {[
          { title: "As you read it", review: before },
          { title: "As it is now", review: after },
        ].map(({ title, review }) => (
          <section
            key={title}
            aria-label={title}
            className="flex flex-col gap-2 rounded-panel border border-hairline p-3"
          >
            <h3 className="font-semibold">{title}</h3>
            <p className="font-medium">{review.title}</p>
            <ValueList value={(review.call?.arguments ?? review.data) as JsonValue} />
          </section>
        ))}
      </div>
      <Button variant="primary" className="self-start" onClick={onRead}>
        Show the present one
      </Button>
    </div>
  );
}
