import { Link } from "@tanstack/react-router";
import { CircleHelp, CircleX, Hourglass, RotateCw, Send, Unplug, type LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import type { Run } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { whyNot } from "../shell/why-not.ts";
import { buttonClass } from "../ui/button.tsx";
import { useNow } from "../values/now.ts";
import { Age, Elapsed, Moment, Until } from "../values/moment.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { waitOf } from "./run-wait.ts";
import { stepKey, titleOf } from "./timeline.ts";
import { useNodeTitles } from "./use-node-titles.ts";
import { useOpenReview } from "./use-open-review.ts";

/** Why the run waits or failed, and the way on. It is announced when it changes. */
export function RunBanner({ run }: { readonly run: Run }): ReactElement {
  return (
    <div role="status" aria-label="State of the run" className="empty:hidden">
      {run.status === "failed" ? <FailedBanner run={run} /> : <WaitBanner run={run} />}
    </div>
  );
}

function FailedBanner({ run }: { readonly run: Extract<Run, { status: "failed" }> }): ReactElement {
  const environment = useEnvironment();
  const titles = useNodeTitles(environment, run);
  const step = run.timeline?.findLast(({ status }) => status === "failed");
  return (
    <Banner
      colours="bg-failed-bg text-failed"
      icon={CircleX}
      title={step === undefined ? "This run failed." : `This run failed at “${titleOf(step, titles)}”.`}
      action={
        step !== undefined && (
          <Link
            to="/$environment/runs/$runId"
            params={{ environment, runId: run.runId }}
            search={{ step: stepKey(step) }}
            className={buttonClass("secondary")}
          >
            Show the step
          </Link>
        )
      }
    >
      <span className="whitespace-pre-wrap">{run.error}</span>
    </Banner>
  );
}

function WaitBanner({ run }: { readonly run: Run }): ReactElement | null {
  const environment = useEnvironment();
  const review = useOpenReview(environment, run);
  const titles = useNodeTitles(environment, run);
  const nowMs = useNow();
  const zone = useTimeZone();
  const wait = waitOf(run, review, nowMs);
  switch (wait?.kind) {
    case undefined:
      return null;
    case "review":
    case "outcome_unknown": {
      const isUnknown = wait.kind === "outcome_unknown";
      const isMine = review?.mayDecide.allowed === true;
      return (
        <Banner
          colours={isUnknown ? "bg-unknown-bg text-unknown" : "bg-review-bg text-review"}
          icon={isUnknown ? CircleHelp : Hourglass}
          title={wait.title}
          action={
            <Link
              to="/$environment/reviews/$reviewId"
              params={{ environment, reviewId: wait.reviewId }}
              className={buttonClass(isMine ? "primary" : "secondary")}
            >
              Open review
            </Link>
          }
        >
          {isUnknown && "The request was sent and no answer arrived. A person has to say whether it took effect. "}
          {review !== undefined && (
            <>
              Asked <Age since={review.requestedAt} />
              {review.expiresAt !== undefined && (
                <>
                  , expires <Until at={review.expiresAt} />
                </>
              )}
              .{!review.mayDecide.allowed && ` Not yours to decide: ${whyNot(review, nowMs, zone)}`}
            </>
          )}
        </Banner>
      );
    }
    case "authorization": {
      const { connection, reason, since, until } = wait.wait;
      return (
        <Banner
          colours="bg-review-bg text-review"
          icon={Unplug}
          title={`“${titleOf(wait.step, titles)}” waits for connection “${connection}”.`}
        >
          {reason} The call is made once the connection is authorized. It has waited since <Moment at={since} />, and
          waits until <Moment at={until} />.
        </Banner>
      );
    }
    case "retry":
      return (
        <Banner
          colours="bg-running-bg text-running"
          icon={RotateCw}
          title={`“${titleOf(wait.step, titles)}” will be tried again.`}
        >
          The next attempt is due <Until at={wait.at} />.{" "}
          {wait.reason !== undefined && `Attempt ${wait.step.attempts ?? 1} failed: ${wait.reason}`}
        </Banner>
      );
    case "call":
      return (
        <Banner
          colours="bg-running-bg text-running"
          icon={Send}
          title={`“${titleOf(wait.step, titles)}” is waiting for an answer.`}
        >
          The call has been under way for <Elapsed from={wait.step.startedAt} />.
        </Banner>
      );
  }
}

interface BannerProps {
  readonly colours: string;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Banner({ colours, icon: Icon, title, action, children }: BannerProps): ReactElement {
  return (
    <div className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-panel px-4 py-3 ${colours}`}>
      <div className="flex min-w-0 gap-2.5">
        <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
        <div className="min-w-0 wrap-anywhere">
          <p className="font-semibold">{title}</p>
          <p>{children}</p>
        </div>
      </div>
      {action !== undefined && action !== false && (
        <div className="shrink-0" data-print="hide">
          {action}
        </div>
      )}
    </div>
  );
}
