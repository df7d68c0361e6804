import type { ReactElement, ReactNode } from "react";
import type { Review } from "../api/models.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Alert } from "../ui/problem.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { comparedMembers } from "./version-differences.ts";

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
  const members = comparedMembers(shownMembers(before), shownMembers(after));
  return (
    <div className="flex flex-col gap-3">
      <Alert tone="review">
        <p>This changed while you were reading.</p>
        <p className="font-normal text-text">{children}</p>
      </Alert>
      <div className="grid gap-3 sm:grid-cols-2">
        {(["before", "after"] as const).map((side) => {
          const title = side === "before" ? "As you read it" : "As it is now";
          return (
            <section
              key={side}
              aria-label={title}
              className="flex min-w-0 flex-col gap-2 rounded-panel border border-hairline bg-canvas p-3"
            >
              <h2 className="text-small font-semibold text-text-2">{title}</h2>
              <dl className="flex flex-col gap-1.5">
                {members.map((member) => (
                  <div
                    key={member.name}
                    className={cx("-mx-1 rounded-control px-1", member.hasChanged && "bg-review-bg")}
                  >
                    <dt className="text-small wrap-anywhere text-text-2">
                      {member.name}
                      {member.hasChanged && <span className="font-medium text-review"> · differs</span>}
                    </dt>
                    <dd className={cx("wrap-anywhere whitespace-pre-wrap", member.hasChanged && "font-semibold")}>
                      {textOf(member[side])}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      {action}
    </div>
  );
}

/** All that a decision is bound to, by name. */
function shownMembers({ title, call, data }: Review): Readonly<Record<string, JsonValue>> {
  const called = call && {
    connection: call.connection,
    ...(call.account !== undefined && { account: call.account }),
    action: call.action,
    ...(call.origin !== undefined && { "sent to": `${call.method ?? ""} ${call.origin}${call.path ?? ""}` }),
    ...Object.fromEntries(Object.entries(call.arguments).map(([name, value]) => [`argument ${name}`, value])),
  };
  const shown = Object.fromEntries(Object.entries(data).map(([name, value]) => [`shown ${name}`, value]));
  return { title, ...called, ...shown };
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return "absent";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
