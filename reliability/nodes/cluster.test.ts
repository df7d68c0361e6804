import { expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { clusterNode, type Hardships } from "./cluster.ts";
import type { Member, MemberReply } from "./member.ts";
import type { MemberRequestName } from "./member-protocol.ts";

/** Answers with these replies in turn. */
function member(...replies: readonly MemberReply<MemberRequestName>[]): Pick<Member, "ask"> & { asked: number } {
  const left = [...replies];
  return {
    asked: 0,
    ask(_name, _request) {
      this.asked += 1;
      return Promise.resolve((left.shift() ?? { status: "lost" }) as never);
    },
  };
}

function cluster(members: () => readonly Pick<Member, "ask">[], patienceMs = 60_000) {
  const hardships: Hardships = { unanswered: 0, refused: 0 };
  return {
    hardships,
    node: clusterNode({ random: seededRandom(1), members, hardships, patienceMs, wait: () => Promise.resolve() }),
  };
}

const unavailable = { status: "refused", code: "storage_unavailable", message: "No." } as const;

test("a request is repeated until it is answered, and its failures are counted", async () => {
  const one = member({ status: "lost" }, unavailable, { status: "answered", value: { data: {} } });
  const { node, hardships } = cluster(() => [one]);
  expect(await node.ask("show", { reviewId: "r" })).toEqual({ status: "answered", value: { data: {} } });
  expect(one.asked).toBe(3);
  expect(hardships).toEqual({ unanswered: 1, refused: 1 });
});

test("a final refusal is not repeated", async () => {
  const refusal = { status: "refused", code: "already_decided", message: "No." } as const;
  const one = member(refusal);
  expect(await cluster(() => [one]).node.ask("show", { reviewId: "r" })).toEqual(refusal);
  expect(one.asked).toBe(1);
});

test("a request goes to a living member", async () => {
  const dead = member();
  const alive = member({ status: "answered", value: { data: {} } });
  let living = [dead];
  const answer = cluster(() => living).node.ask("show", { reviewId: "r" });
  living = [alive];
  expect((await answer).status).toBe("answered");
});

test("a request that is never answered is given up, with the last failure", async () => {
  const one = member(unavailable);
  const reply = await cluster(() => [one], 0).node.ask("show", { reviewId: "r" });
  expect(reply).toMatchObject({ status: "refused", code: "given_up" });
  expect(reply).toHaveProperty("message", expect.stringContaining("storage_unavailable"));
});
