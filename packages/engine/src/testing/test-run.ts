import { ProcedoError, type Environment, type JsonObject, type JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { RunStatus } from "@procedo/storage";
import { mayNotDecide, type EarlierApproval } from "../access/may-decide.ts";
import type { Principal } from "../access/principal.ts";
import type { Engine } from "../engine.ts";
import type { StepRecord } from "../journal/step-record.ts";
import { approvalsIn } from "../reviews/earlier-approvals.ts";
import type { RunRecordView } from "../runs/runs.ts";
import type { MovedTime } from "./moved-time.ts";
import {
  callsIn,
  effectsIn,
  eventsIn,
  reviewsIn,
  turnsIn,
  type TestCall,
  type TestEffect,
  type TestEvent,
  type TestReview,
  type TestTurn,
} from "./run-view.ts";
import { TestingError } from "./testing-error.ts";

/** Options of an approval in a test. */
export interface ApproveOptions {
  /**
   * The reviewer's outputs: the node's output or, for a call with an unknown outcome, its result. @defaultValue none
   */
  readonly outputs?: JsonObject;
  /** The only person to decide. @defaultValue as many permitted people as are needed */
  readonly by?: Principal;
}

/** The parts of its environment that a run needs. */
export interface TestRunPorts {
  readonly engine: Engine;
  readonly environment: Environment;
  readonly time: MovedTime;
  /** A unique UUID. */
  readonly uuid: () => string;
}

/**
 * A run in a test. Its properties are plain values of its current state. Its methods change it, and resolve when the
 * run has ended or waits for a person again.
 */
export class TestRun {
  /** Identifier of the run. */
  readonly runId: string;
  readonly #ports: TestRunPorts;
  #record: RunRecordView;
  #entries: readonly Entry[];

  private constructor(ports: TestRunPorts, record: RunRecordView, entries: readonly Entry[]) {
    this.runId = record.runId;
    this.#ports = ports;
    this.#record = record;
    this.#entries = entries;
  }

  /** Waits until the run has ended or waits for a person. */
  static async of(ports: TestRunPorts, runId: string): Promise<TestRun> {
    await ports.time.untilRest(runId);
    const { record, entries } = await readRun(ports, runId);
    return new TestRun(ports, record, entries);
  }

  /** `running` only if the run waits for time, and time stands. */
  get status(): RunStatus {
    return this.#record.status;
  }

  /** The output of a completed run. */
  get output(): JsonObject | undefined {
    return this.#record.output;
  }

  /** The error of a failed run. */
  get error(): string | undefined {
    return this.#record.error;
  }

  /** Ids of the nodes in the order in which the run reached them. */
  get path(): readonly string[] {
    return this.steps.map(({ nodeId }) => nodeId);
  }

  /** Every executed node with its exact input and output. */
  get steps(): readonly StepRecord[] {
    return this.#record.steps;
  }

  /** Every attempt of every call. */
  get calls(): readonly TestCall[] {
    return callsIn(this.#entries);
  }

  /**
   * The calls that may have had an external effect. Each is listed once; those that certainly had no effect are
   * omitted.
   */
  get effects(): readonly TestEffect[] {
    return effectsIn(this.calls);
  }

  /** The events for webhooks, in order. */
  get events(): readonly TestEvent[] {
    return eventsIn(this.#facts(), this.#entries);
  }

  /** Every request to a model. */
  get turns(): readonly TestTurn[] {
    return turnsIn(this.#entries);
  }

  /** All reviews. */
  get reviews(): readonly TestReview[] {
    return reviewsIn(this.#entries);
  }

  /** The open review. */
  get review(): TestReview | undefined {
    return this.status === "awaiting_review" ? this.reviews.at(-1) : undefined;
  }

  /** The entries of the run's journal. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Attempts of a node's calls. */
  callsOf(nodeId: string): readonly TestCall[] {
    return this.calls.filter((call) => call.nodeId === nodeId);
  }

  /** Arguments of a node's calls: each call once, also after several attempts. */
  argumentsOf(nodeId: string): readonly JsonObject[] {
    const calls = this.callsOf(nodeId).filter(({ attempt }) => attempt === 1);
    return calls.map(({ arguments: args }) => args);
  }

  /** Output of a node's latest visit; `undefined` when it was not executed, or is still being executed. */
  outputOf(nodeId: string): JsonValue | undefined {
    return this.steps.findLast((step) => step.nodeId === nodeId)?.output;
  }

  /**
   * Approves the open review.
   *
   * @throws TestingError without an open review; ProcedoError of `reviews.decide` when `by` may not decide, or
   *   `outputs` are invalid
   */
  async approve(options: ApproveOptions = {}): Promise<void> {
    const review = this.#openReview();
    const { outputs, by } = options;
    const people = by === undefined ? this.#permitted(review) : [by];
    for (const person of people) {
      await this.#decide(review, person, { approved: true, ...(outputs !== undefined && { outputs }) });
    }
    await this.refresh();
  }

  /** Rejects the open review. @throws as {@link TestRun.approve} */
  async reject(reason: string, options: Pick<ApproveOptions, "by"> = {}): Promise<void> {
    const review = this.#openReview();
    const [someone] = this.#permitted(review);
    await this.#decide(review, options.by ?? someone, { approved: false, rejectionReason: reason });
    await this.refresh();
  }

  /** Cancels the run. @throws ProcedoError `already_ended` */
  async cancel(reason?: string): Promise<void> {
    const { engine, environment } = this.#ports;
    await engine.runs.cancel({
      environment,
      runId: this.runId,
      by: { person: "canceller" },
      ...(reason !== undefined && { reason }),
    });
    await this.refresh();
  }

  /**
   * Advances time, and lets everything happen that falls due.
   *
   * @param duration ISO 8601, such as `P7D` or `PT2H`
   */
  async advance(duration: string): Promise<void> {
    await this.#ports.time.advance(duration);
    await this.refresh();
  }

  /** Reads the run's state after a change from elsewhere; first waits until it has ended or waits for a person. */
  async refresh(): Promise<void> {
    await this.#ports.time.untilRest(this.runId);
    const { record, entries } = await readRun(this.#ports, this.runId);
    this.#record = record;
    this.#entries = entries;
  }

  #permitted(review: TestReview): readonly Principal[] {
    return permitted(review, approvalsIn(this.#entries));
  }

  #facts() {
    const [first] = this.#entries;
    if (first?.type !== "started") throw new TestingError(`The journal of run "${this.runId}" has no beginning.`);
    return first.facts;
  }

  #openReview(): TestReview {
    const { review } = this;
    if (review !== undefined) return review;
    const how = this.status === "failed" ? `It failed: ${this.error ?? ""}` : `It is ${this.status}.`;
    throw new TestingError(`The run has no open review. ${how} Its path: ${this.path.join(", ")}.`);
  }

  async #decide(
    { reviewId, digest }: TestReview,
    by: Principal | undefined,
    decision: { readonly approved: boolean; readonly outputs?: JsonObject; readonly rejectionReason?: string },
  ): Promise<void> {
    const { engine, environment, uuid } = this.#ports;
    if (by === undefined) throw new ProcedoError("permission_denied", "No person is permitted to decide this review.");
    const shown = { reviewId, reviewDigest: digest };
    await engine.reviews.decide({
      ...decision,
      ...shown,
      environment,
      runId: this.runId,
      idempotencyKey: uuid(),
      by,
    });
  }
}

async function readRun({ engine, environment }: TestRunPorts, runId: string) {
  const record = await engine.runs.get({ environment, runId });
  const rows = await engine.runs.journal({ environment, runId });
  return { record, entries: rows.flatMap(({ entries }) => entries) };
}

/** As many permitted people as a review needs, first those that it names. */
function permitted({ rules }: TestReview, earlier: readonly EarlierApproval[]): readonly Principal[] {
  const named = rules.people.map((person): Principal => ({ person }));
  const mayInvent = rules.roles.length > 0 || rules.people.length === 0;
  const invented = Array.from({ length: mayInvent ? rules.approvals + earlier.length : 0 }, (_, index): Principal => {
    return { person: `reviewer ${index + 1}`, roles: rules.roles };
  });
  const may = [...named, ...invented].filter((one) => mayNotDecide(rules, one, earlier) === undefined);
  return may.slice(0, rules.approvals);
}
