import { ProcedoError, type DecideRequest } from "@procedo/engine";
import type { ReviewRules } from "@procedo/procedure";
import type { ReviewRow, Storage } from "@procedo/storage";
import { askMember, isTransient, someMember, type CallerPorts } from "./callers.ts";
import type { SubmittedDecision } from "./history.ts";
import { approverRole, approvers, outsider } from "./random-procedure.ts";

export interface ReviewerPorts extends CallerPorts {
  /** The storage without faults, for the screen that a person loaded at some time. */
  readonly storage: Storage;
  readonly workspace: string;
}

/** People who decide: carefully, or late, twice, concurrently, and on data that they did not see. */
export interface Reviewers {
  begin(): void;
  /** From now on every review is decided, without mistakes. */
  beDiligent(): void;
}

/** The permitted refusals of careless decisions; any other answer is a violation. */
const refusals = new Set([
  "already_decided",
  "another_review_open",
  "review_not_found",
  "review_digest_mismatch",
  "too_early",
  "permission_denied",
  "invalid_decision",
  "idempotency_key_reused",
]);

export function createReviewers(ports: ReviewerPorts): Reviewers {
  const { world, random, history, cluster, options } = ports;
  let diligent = false;
  const seen: ReviewRow[] = [];

  const open = async (): Promise<readonly ReviewRow[]> => {
    const pages = await Promise.all(
      (["sandbox", "live"] as const).map((environment) =>
        ports.storage.reviews.list({ scope: { workspace: ports.workspace, environment }, status: "open", limit: 100 }),
      ),
    );
    return pages.flatMap(({ items }) => items);
  };

  const submit = (row: ReviewRow, person: string, change: Partial<DecideRequest>, flaw?: string, tries = 4): void => {
    const approved = change.approved ?? !random.chance(options.people.rejects);
    const request: DecideRequest = {
      environment: row.scope.environment,
      runId: row.runId,
      approved,
      idempotencyKey: random.uuid(),
      reviewId: row.reviewId,
      reviewDigest: row.digest,
      ...(approved ? outputsFor(row) : { rejectionReason: "No." }),
      by: { person, via: `key of ${person}`, ...(person === outsider ? {} : { roles: [approverRole] }) },
      ...change,
    };
    const decision: SubmittedDecision = {
      runId: row.runId,
      environment: row.scope.environment,
      reviewId: row.reviewId,
      person,
      approved: request.approved,
      idempotencyKey: request.idempotencyKey,
      flaw,
      answer: undefined,
    };
    history.decisions.push(decision);
    send(request, decision, tries);
  };

  const send = (request: DecideRequest, decision: SubmittedDecision, left: number): void => {
    const member = someMember(cluster, random);
    if (member === undefined || left === 0) return;
    const again = (): void => send(request, decision, left - 1);
    askMember(world, member, 3_000, again, () =>
      member.engine.reviews.decide(request).then(({ status, reviewId }) => {
        if (reviewId !== decision.reviewId && request.reviewId !== undefined) {
          ports.violate("reviews", `A decision on ${decision.reviewId} was stored as one on ${reviewId}.`);
        }
        decision.answer = status;
      }),
    ).catch((error: unknown) => {
      if (isTransient(error)) return void world.after(random.between(0, 1_000), again);
      decision.answer ??= "refused";
      if (!(ProcedoError.isError(error) && refusals.has(error.code))) {
        ports.violate("unexpected", `A decision failed: ${String(error)}`);
      }
    });
  };

  /** An approval of an uncertain outcome states what happened, or requests a repetition. */
  const outputsFor = (row: ReviewRow): Pick<DecideRequest, "outputs"> => {
    if (row.kind === "outcome_unknown") return random.chance(0.5) ? { outputs: { id: "found", n: 1 } } : {};
    if (row.kind === "guard" || !random.chance(0.3)) return {};
    return { outputs: rulesOf(row).outputs === true ? { id: "given" } : { ok: true } };
  };

  const beCareless = (row: ReviewRow, person: string): void => {
    switch (random.pick(["twice", "two", "sameKey", "digest", "outsider", "late", "crossed", "outputs", "nameless"])) {
      case "twice":
        submit(row, person, { approved: true });
        submit(row, person, { approved: random.chance(0.5), rejectionReason: "No." });
        return;
      case "two":
        submit(row, person, { approved: true });
        submit(row, random.pick(approvers), { approved: false, rejectionReason: "No." });
        return;
      case "sameKey": {
        const idempotencyKey = random.uuid();
        submit(row, person, { idempotencyKey });
        submit(row, person, { idempotencyKey });
        return;
      }
      case "digest":
        return submit(row, person, { reviewDigest: "not what is open" }, "its digest is of something else");
      case "outsider":
        return submit(row, outsider, {});
      case "late":
        return void world.after(random.between(100, 10_000), () => submit(row, person, {}));
      case "crossed": {
        const other = random.pick(seen);
        const flaw = other.runId === row.runId ? undefined : "its review is of another run";
        return submit({ ...row, reviewId: other.reviewId, digest: other.digest }, person, {}, flaw);
      }
      case "outputs":
        return submit(row, person, { approved: true, outputs: { unasked: true } }, outputsFlaw(row));
      default:
        return submit(row, person, {}, undefined, 1);
    }
  };

  const act = async (): Promise<void> => {
    world.after(diligent ? 400 : random.between(1, 2 * options.people.actEveryMs), () => void act());
    const rows = await open();
    if (rows.length === 0) return;
    seen.push(...rows);
    for (const row of diligent ? rows : [random.pick(rows)]) {
      const person = random.pick(approvers);
      if (!diligent && random.chance(options.people.careless)) beCareless(row, person);
      else submit(row, person, {});
    }
  };

  return {
    begin: () => void world.after(options.people.actEveryMs, () => void act()),
    beDiligent: () => {
      diligent = true;
    },
  };
}

/** The reason to refuse outputs on this review; `undefined` if it requires outputs. */
function outputsFlaw(row: ReviewRow): string | undefined {
  return rulesOf(row).outputs === true ? undefined : "its outputs do not fit";
}

function rulesOf(row: ReviewRow): ReviewRules {
  return (JSON.parse(row.body) as { readonly rules: ReviewRules }).rules;
}
