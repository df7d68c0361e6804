import type { ClaimedDelivery, DeliveryClaim, DeliverySettlement, ResendUndeliveredResult } from "../deliveries.ts";
import type { AuditEntry } from "../audit.ts";
import type { Scope } from "../scope.ts";
import type { TestClock } from "./harness.ts";
import type { Random } from "./random.ts";
import type { Step } from "./random-step.ts";
import { accepted, event, refused } from "./samples.ts";

/** Random calls of senders: claimed deliveries are settled, in time or late, once or twice, and are resent. */
export function deliverySteps(
  random: Random,
  clock: TestClock,
  scope: () => Scope,
  nextAudit: () => AuditEntry,
  learnAudit: (answer: unknown) => void,
): readonly [() => Step, ...(() => Step)[]] {
  const claimed: ClaimedDelivery[] = [];
  let tests = 0;

  const recent = (): ClaimedDelivery | undefined => claimed[claimed.length - 1 - random.integer(12)];
  const soon = (): number => clock.now() + random.integer(40) - 10;

  function settlement(delivery: ClaimedDelivery): DeliverySettlement {
    const known = random.chance(0.9)
      ? { ...delivery, manual: random.chance(0.3) }
      : { ...delivery, scope: scope(), epoch: random.integer(4) };
    if (random.chance(0.4)) return accepted(known);
    const { attempt, ...unsent } = refused(known, soon());
    const next = random.chance(0.3) ? ({ status: "failed" } as const) : unsent.next;
    if (random.chance(0.1)) return { ...unsent, next: { status: "skipped" } };
    return attempt === undefined || random.chance(0.2)
      ? { ...unsent, next }
      : { ...unsent, next, attempt: { ...attempt, atMs: clock.now() }, cutOff: random.chance(0.2) };
  }

  const limits = () => ({ total: random.integer(4), perWebhook: 1 + random.integer(4) });

  function claim(): Step {
    const request = {
      workspace: scope().workspace,
      limits: { sandbox: limits(), live: limits() },
      leaseMs: 1 + random.integer(60),
    };
    return {
      name: "claim deliveries",
      call: ({ deliveries }) => deliveries.claim(request),
      learn: (answer) => void claimed.push(...(answer as DeliveryClaim).deliveries),
    };
  }

  function settle(): Step {
    const items = Array.from({ length: 1 + random.integer(4) }, recent)
      .filter((delivery) => delivery !== undefined)
      .map(settlement);
    return { name: "settle deliveries", call: ({ deliveries }) => deliveries.settle(items) };
  }

  function endPending(): Step {
    const request = { scope: scope(), error: "It is not sent again.", limit: 1_000, audit: nextAudit() };
    return { name: "end pending", call: ({ deliveries }) => deliveries.endPending(request), learn: learnAudit };
  }

  function resend(): Step {
    const known = recent();
    const manual = random.chance(0.3);
    const { webhookId = "hook-0", deliveryId = "unknown" } = known ?? {};
    const at = random.chance(0.9) ? (known?.scope ?? scope()) : scope();
    const request = { scope: at, webhookId, deliveryId, repeatMs: random.integer(80), audit: nextAudit(), manual };
    return { name: "resend", call: ({ deliveries }) => deliveries.resend(request), learn: learnAudit };
  }

  function resendUndelivered(): Step {
    const request = {
      scope: scope(),
      webhookId: `hook-${random.integer(2)}`,
      statuses: random.some(["failed", "skipped"] as const, 0.7),
      sinceMs: clock.now() - random.integer(200),
      limit: 1_000,
      repeatMs: random.integer(80),
      audit: nextAudit(),
    };
    return {
      name: "resend undelivered",
      call: ({ deliveries }) => deliveries.resendUndelivered(request),
      // No audit entry is stored without a change.
      learn: (answer) => {
        const result = answer as ResendUndeliveredResult;
        if (result.status === "resent" && result.deliveries > 0) learnAudit(result);
      },
    };
  }

  function post(): Step {
    tests += 1;
    const request = { scope: scope(), webhookId: `hook-${random.integer(2)}`, event: event(`test-${tests}`) };
    const audit = nextAudit();
    return { name: "test", call: ({ deliveries }) => deliveries.post({ ...request, audit }), learn: learnAudit };
  }

  return [
    claim,
    settle,
    settle,
    () => (random.chance(0.5) ? resend() : post()),
    () => (random.chance(0.3) ? resendUndelivered() : claim()),
    () => (random.chance(0.2) ? endPending() : settle()),
  ];
}
