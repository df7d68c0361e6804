import { describe } from "vitest";
import { describeAdvancingSchedules } from "./advancing-schedules.ts";
import { describeAudit } from "./audit.ts";
import type { ConformanceOptions } from "./harness.ts";
import { describeBudgets } from "./budgets.ts";
import { describeClaim } from "./claim.ts";
import { describeClaimingFirings } from "./claiming-firings.ts";
import { describeCommit } from "./commit.ts";
import { describeCreation } from "./creation.ts";
import { describeDecide } from "./decide.ts";
import { describeDeliveries } from "./deliveries.ts";
import { describeDurability } from "./durability.ts";
import { describeEndingDeliveries } from "./ending-deliveries.ts";
import { describeEndingFirings } from "./ending-firings.ts";
import { describeEnding } from "./ending.ts";
import { describeFailingWebhooks } from "./failing-webhooks.ts";
import { describeFencing } from "./fencing.ts";
import { describeFiringLists } from "./firing-lists.ts";
import { describeHeads } from "./heads.ts";
import { describeInbox } from "./inbox.ts";
import { describeSettleAndContinue } from "./settle-and-continue.ts";
import { describeLeaseOnCommit } from "./lease-on-commit.ts";
import { describeInvocations } from "./invocations.ts";
import { describeIsolation } from "./isolation.ts";
import { describeExpiringLeases } from "./expiring-leases.ts";
import { describeLeasingInvocations } from "./leasing-invocations.ts";
import { describeOverlappingFirings } from "./overlapping-firings.ts";
import { describeProcedures } from "./procedures.ts";
import { describeRecords } from "./records.ts";
import { describeResending } from "./resending.ts";
import { describeResendingUndelivered } from "./resending-undelivered.ts";
import { describeRetention } from "./retention.ts";
import { describeReviews } from "./reviews.ts";
import { describeRunLists } from "./run-lists.ts";
import { describeSearches } from "./searches.ts";
import { describeSending } from "./sending.ts";
import { describeSessions } from "./sessions.ts";
import { describeStartingFirings } from "./starting-firings.ts";
import { describeTakingEvents } from "./taking-events.ts";
import { describeTallies } from "./tallies.ts";
import { describeTriggerRecords } from "./trigger-records.ts";
import { describeTriggerRetention } from "./trigger-retention.ts";
import { describeStoredAnswers } from "./stored-answers.ts";
import { describeValues } from "./values.ts";
import { describeSetBackClocks } from "./set-back-clocks.ts";
import { describeSettlingBudgets } from "./settling-budgets.ts";
import { describeMarkingUncertain } from "./marking-uncertain-invocations.ts";
import { describeSettlingInvocations } from "./settling-invocations.ts";
import { describeUnusedBudgets } from "./unused-budgets.ts";
import { describeWakingRuns } from "./waking-runs.ts";
import { describeWatch } from "./watch.ts";
import { describeWorkers } from "./workers.ts";

/**
 * The conformance suite of the storage port, for a vitest test file.
 *
 * @example
 * ```ts fragment
 * describeStorage("my storage", { create: (now) => MyStorage.open({ now }) });
 * ```
 */
export function describeStorage(name: string, options: ConformanceOptions): void {
  describe(name, () => {
    describeCommit(options);
    describeFencing(options);
    describeCreation(options);
    describeEnding(options);
    describeClaim(options);
    describeWakingRuns(options);
    describeStoredAnswers(options);
    describeRunLists(options);
    describeSearches(options);
    describeTallies(options);
    describeHeads(options);
    describeInbox(options);
    describeDecide(options);
    describeReviews(options);
    describeInvocations(options);
    describeLeasingInvocations(options);
    describeSettlingInvocations(options);
    describeLeaseOnCommit(options);
    describeSettleAndContinue(options);
    describeExpiringLeases(options);
    describeMarkingUncertain(options);
    describeBudgets(options);
    describeSettlingBudgets(options);
    describeUnusedBudgets(options);
    describeWorkers(options);
    describeSetBackClocks(options);
    describeDeliveries(options);
    describeSending(options);
    describeFailingWebhooks(options);
    describeResending(options);
    describeResendingUndelivered(options);
    describeEndingDeliveries(options);
    describeTriggerRecords(options);
    describeAdvancingSchedules(options);
    describeTakingEvents(options);
    describeClaimingFirings(options);
    describeOverlappingFirings(options);
    describeStartingFirings(options);
    describeEndingFirings(options);
    describeFiringLists(options);
    describeTriggerRetention(options);
    describeProcedures(options);
    describeRecords(options);
    describeSessions(options);
    describeAudit(options);
    describeRetention(options);
    describeWatch(options);
    describeIsolation(options);
    describeValues(options);
    describeDurability(options);
  });
}
