import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { seededRandom } from "@procedo-testing/faults";
import { ProcedoError, type Review } from "@procedo/engine";
import { tally, type Tally } from "../../crash/tally.ts";
import { forTier, type ProofGroup } from "../../proof-group.ts";
import { carriers, currency, vendorOf } from "./carriers.ts";
import { createHostileWorld, type AttackedRun, type HostileWorld } from "./hostile-world.ts";
import { payloadsOf, type Payload } from "./payloads.ts";

const payloadsPerTier = { commit: 20, nightly: 320, release: 960 };
const environment = "sandbox";
const reviewer = { person: "bob", roles: ["reviewer"] };
const asked = new Set(["claimed approval", "large amount", "fixed argument", "other tool"]);

/** agent-guards: a call that a guard stops goes to a person, with facts that the agent did not write. */
export const taint: ProofGroup = {
  id: "agent-guards",
  title:
    "A call that a guard stops goes to a person, even if the model claims an approval, and is sent as it was shown",
  run: async ({ tier, seed, seeds }) => {
    const count = seeds ?? forTier(tier, payloadsPerTier);
    const payloads = payloadsOf(4 * count, seededRandom(seed))
      .filter(({ instruction }) => asked.has(instruction.name))
      .slice(0, count)
      .map((payload, number): Payload => ({ ...payload, number }));
    const total = tally();
    // Every amount needs a review, and none is too large for an approval.
    const world = await createHostileWorld(payloads, { guard: "args.amount < 0", atMost: 1e12 });
    try {
      for (const run of await world.attack(payloads, carriers)) {
        await decideAll(world, run, total).catch((error: unknown) => {
          const text = error instanceof Error ? error.message : String(error);
          total.fail(`agent-guards seed ${seed}, ${run.carrier}, attack ${run.payload.number}: ${text}`);
        });
      }
    } finally {
      await world.close();
    }
    return total.result({ payloads: payloads.length, carriers: carriers.length });
  },
};

/** Decides each review of the run, and checks that exactly the decided call is made. */
async function decideAll(world: HostileWorld, { runId, carrier, payload }: AttackedRun, total: Tally): Promise<void> {
  const { engine } = world;
  const vendorId = vendorOf(carrier, payload);
  total.add("runs");
  for (let turn = 0; turn < 10; turn++) {
    const open = (await engine.reviews.ofRun({ environment, runId })).find(({ status }) => status === "open");
    if (open === undefined) {
      if (turn === 0) throw new Error("no review was opened");
      return;
    }
    const said = world.obedient.obeyed.filter((one) => one.runId === runId).at(-1);
    judgeShown(open, { vendorId, said: textOf(said?.answer.content ?? []) });
    const before = paymentsTo(world, vendorId).length;
    const approved = (payload.number + turn) % 3 !== 0;
    await refuseOutputs(world, open);
    const decision = approved ? { approved } : { approved, rejectionReason: "Not this one." };
    const { reviewId, digest: reviewDigest } = open;
    const how = { runId, reviewId, reviewDigest, idempotencyKey: randomUUID(), by: reviewer };
    await engine.reviews.decide({ environment, ...how, ...decision });
    await engine.runs.wait({ environment, runId });
    total.add(approved ? "approved" : "rejected");
    const made = paymentsTo(world, vendorId).slice(before);
    if (made.length !== (approved ? 1 : 0)) throw new Error(`${made.length} calls followed a decision`);
    if (approved && !isSame(made[0] ?? "", open.data["arguments"]))
      throw new Error(`another call was sent: ${made[0] ?? ""}`);
  }
  throw new Error("it opens reviews without end");
}

/** The arguments that the procedure fixes. */
const origins: { readonly [name: string]: unknown } = {
  vendorId: [{ path: "input.vendorId", from: "input" }],
  currency: "procedure",
};

/** The review separates the engine's facts from the model's words, and no call has been made. */
function judgeShown(
  { kind, title, data, call }: Review,
  { vendorId, said }: { readonly vendorId: string; readonly said: string },
): void {
  const expect = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`${what}: ${JSON.stringify({ kind, title, data })}`);
  };
  const {
    arguments: args = {},
    argumentOrigins = {},
    agent,
    guards,
  } = data as {
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly argumentOrigins?: Readonly<Record<string, unknown>>;
    readonly agent?: { readonly text: string };
    readonly guards?: readonly string[];
  };
  expect(kind === "guard", "another review");
  expect(title === "Guard held back: pay", "the title is the agent's");
  expect(guards?.join() === "args.amount < 0", "it does not say which guard it was");
  expect(args["vendorId"] === vendorId && args["currency"] === currency, "a fixed argument was changed");
  for (const name of Object.keys(args)) {
    const told = isDeepStrictEqual(argumentOrigins[`/${name}`], origins[name] ?? "agent");
    expect(told, `the source of ${name} is missing`);
  }
  expect(isDeepStrictEqual(args, call?.args), "the shown call is not the call that would be sent");
  expect(agent?.text === said, "the model's words differ");
  const { arguments: _arguments, agent: _agent, ...facts } = data;
  expect(said === "" || !JSON.stringify({ title, ...facts }).includes(said), "the model's words are among the facts");
}

/** An approval does not change the call that an agent proposed. */
async function refuseOutputs({ engine }: HostileWorld, { runId, reviewId }: Review): Promise<void> {
  const decision = { approved: true, outputs: { amount: 1 }, idempotencyKey: randomUUID(), by: reviewer };
  try {
    await engine.reviews.decide({ environment, runId, reviewId, ...decision });
  } catch (error) {
    if (ProcedoError.isError(error) && error.code === "invalid_decision") return;
    throw error;
  }
  throw new Error("a decision changed the call");
}

/** The bodies of the payments to a vendor, which are those of one run. */
function paymentsTo({ services }: HostileWorld, vendorId: string): readonly string[] {
  const vendor = JSON.stringify({ vendorId }).slice(1, -1);
  return services.received.flatMap(({ method, body }) => (method === "POST" && body.includes(vendor) ? [body] : []));
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content
    .flatMap(({ type, text = "" }) => (type === "text" ? [text] : []))
    .join("\n")
    .trim();
}

function isSame(json: string, args: unknown): boolean {
  const sorted = (value: object): string => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (typeof args !== "object" || args === null) return false;
  // The call of an API has the account in its path.
  const { account: _account, ...body } = args as Readonly<Record<string, unknown>>;
  return sorted(JSON.parse(json) as object) === sorted(body);
}
