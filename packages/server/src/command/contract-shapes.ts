import type * as contract from "@procedo/contract";
import type { ApiKey, Engine, ProcedureSummary, PublishedVersion, ReviewSummary } from "@procedo/engine";

type RunRow = Awaited<ReturnType<Engine["runs"]["list"]>>["items"][number];

/** Pages of the contract: what `--json` prints of a list. */
export function pageOf<Item>(data: Item[], nextCursor: string | undefined): contract.Page<Item> {
  return { data, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

export function keyOf(key: ApiKey): contract.ApiKey {
  const { keyId: id, name, environment, prefix, permissions, createdAtMs } = key;
  return { id, name, environment, prefix, permissions: [...permissions], createdAt: timestamp(createdAtMs) };
}

export function procedureOf({ procedureId, name, draft, defaults }: ProcedureSummary): contract.ProcedureSummary {
  return {
    procedureId,
    name,
    ...(draft === undefined ? {} : { draft: { revision: draft.revision, updatedAt: timestamp(draft.updatedAtMs) } }),
    defaults: { ...defaults },
  };
}

export function publishedOf(version: PublishedVersion): contract.PublishedVersion {
  const { procedureId, version: name, publishedBy, publishedAtMs, problems } = version;
  return {
    procedureId,
    version: name,
    name: version.name,
    publishedBy,
    publishedAt: timestamp(publishedAtMs),
    problems: problems.map((problem) => ({ ...problem })),
  };
}

export function reviewOf(review: ReviewSummary): contract.ReviewSummary {
  const { rules, decisions } = review;
  const optional = (name: string, atMs: number | undefined) => (atMs === undefined ? {} : { [name]: timestamp(atMs) });
  return {
    reviewId: review.reviewId,
    runId: review.runId,
    procedureId: review.procedureId,
    environment: review.environment,
    nodeId: review.nodeId,
    kind: review.kind,
    status: review.status,
    title: review.title,
    digest: review.digest,
    reviewers: { roles: [...rules.roles], people: [...rules.people] },
    approvalsNeeded: rules.approvals,
    approvalsGiven: decisions.filter(({ approved }) => approved).length,
    ...optional("notBefore", rules.notBeforeMs),
    ...optional("expiresAt", rules.expiresAtMs),
    requestedAt: timestamp(review.openedAtMs),
    ...optional("closedAt", review.closedAtMs),
  };
}

export function runSummaryOf(run: RunRow, runnerUrl: string): contract.RunSummary {
  return {
    runId: run.runId,
    status: run.status,
    statusUrl: `${runnerUrl}/runs/${run.runId}`,
    procedureId: run.procedureId,
    procedureVersion: run.procedureVersion,
    environment: run.scope.environment,
    createdAt: timestamp(run.createdAtMs),
    ...(run.error === undefined ? {} : { error: run.error }),
    ...(run.endedAtMs === undefined ? {} : { completedAt: timestamp(run.endedAtMs) }),
  };
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
