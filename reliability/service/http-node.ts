import { setTimeout as pause } from "node:timers/promises";
import { createClient, ProcedoError } from "@procedo/client";
import type { SyncRunReply } from "@procedo/contract";
import type { CrashNode, Reply } from "../crash/node.ts";
import type { Look, NodeRequests, RequestName } from "../crash/protocol.ts";
import type { ServiceNode } from "./service-node.ts";

export interface HttpNodePorts {
  /** The raw keys; known when the first is used. */
  readonly keys: { readonly run: string; readonly review: string; readonly live: string };
  /** Called for each synchronous reply. */
  onRested(reply: SyncRunReply): void;
  /** The lead of the process's clock over this one's, in milliseconds. */
  readonly clockAheadMs: number;
}

/** A service process under the crash driver, which uses it as an application does: by the client, over HTTP. */
export interface HttpNode extends CrashNode {
  readonly service: ServiceNode;
  /** The lead of its clock over this process's, in milliseconds. */
  readonly clockAheadMs: number;
}

type Answers = {
  readonly [Name in RequestName]: (request: NodeRequests[Name]["request"]) => Promise<NodeRequests[Name]["answer"]>;
};

/** One start in this number is synchronous. */
const syncEvery = 5;

/** The connections of a killed process close before its parent is notified. */
const deathNoticeMs = 5_000;

export function httpNode(service: ServiceNode, ports: HttpNodePorts): HttpNode {
  let connected: Promise<Answers | undefined> | undefined;
  const connect = async (): Promise<Answers | undefined> => {
    const runnerUrl = await service.url;
    return runnerUrl === undefined ? undefined : answersOf(runnerUrl, ports);
  };
  const ask = async <Name extends RequestName>(
    name: Name,
    request: NodeRequests[Name]["request"],
  ): Promise<Reply<Name>> => {
    const answers = await (connected ??= connect());
    if (answers === undefined || service.end !== undefined) return { status: "lost" };
    try {
      return { status: "answered", value: await answers[name](request) };
    } catch (error) {
      const { code, message } = ProcedoError.isError(error) ? error : { code: "unexpected", message: String(error) };
      if (code === "upstream_unreachable") {
        await Promise.race([service.exited, pause(deathNoticeMs)]);
        if (service.end !== undefined) return { status: "lost" };
      }
      return { status: "refused", code, message: `${name}: ${message}` };
    }
  };
  const served = service.url.then((url) => (url === undefined ? "ended" : "ready"));
  return {
    service,
    clockAheadMs: ports.clockAheadMs,
    loaded: served.then(() => undefined),
    ready: served,
    progressMs: Promise.resolve(undefined),
    exited: service.exited,
    get alive() {
      return service.end === undefined;
    },
    get end() {
      return service.end;
    },
    ask,
    kill: () => service.kill(),
  };
}

function answersOf(runnerUrl: string, { keys, onRested, clockAheadMs }: HttpNodePorts): Answers {
  // The driver decides on retries.
  const client = createClient({ apiKey: keys.run, runnerUrl, retries: 0 });
  const reviewer = createClient({ apiKey: keys.review, runnerUrl, retries: 0 });
  return {
    start: async ({ input, key }) => {
      const request = { data: { ...input }, idempotencyKey: key };
      if (input.n % syncEvery !== 0) {
        const { runId } = await client.start("crash", request);
        return { runId };
      }
      const reply = await client.run("crash", { ...request, executionTimeoutMs: 1_000 });
      onRested(reply);
      return { runId: reply.runId };
    },
    decide: async ({ runId, reviewId, reviewDigest, approved, outputs, rejectionReason, idempotencyKey }) => {
      const shown = { runId, reviewId: reviewId ?? "", digest: reviewDigest ?? "" };
      const decision = approved
        ? ({ approved, ...(outputs !== undefined && { outputs }) } as const)
        : ({ approved, rejectionReason: rejectionReason ?? "" } as const);
      await reviewer.reviews.decide(shown, decision, { idempotencyKey });
      return {};
    },
    cancel: async ({ runId }) => {
      await client.runs.cancel(runId, { reason: "Not needed any more." });
      return {};
    },
    look: async () => {
      const running = await client.runs.list({ status: "running", limit: 100 });
      const reviews: Look["reviews"][number][] = [];
      for await (const review of client.reviews.all({ status: "open" })) {
        const { runId, reviewId, digest, kind, nodeId, notBefore } = review;
        const rules = notBefore === undefined ? {} : { notBeforeMs: Date.parse(notBefore) - clockAheadMs };
        reviews.push({ runId, reviewId, digest, kind, nodeId, rules });
      }
      return { running: running.data.length, reviews };
    },
    show: async ({ reviewId }) => ({ data: (await client.reviews.get(reviewId)).data }),
    arm: () => Promise.reject(new Error("The service has no failpoints: it is killed from outside.")),
    drain: () => Promise.reject(new Error("The service drains when it receives SIGTERM.")),
  };
}
