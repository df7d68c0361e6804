import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { drive } from "./drive.ts";
import { createJudge, type Judge } from "./judge.ts";
import { killAt } from "./kill-at.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let judge: Judge;

beforeAll(async () => {
  world = await createWorld({ name: "test", random: seededRandom(1) });
  judge = createJudge(world);
});

afterAll(() => world.close());

test("every promise holds after a node was killed with payments under way and restarted", async () => {
  const failpoint = { name: "tool.received", phase: "before", passes: 1 } as const;
  const survivor = await killAt(world, judge, world.boot(), { failpoint, shapes: ["plain", "review", "sleep"] });
  expect(survivor.alive).toBe(true);
  const { evidence } = await judge.check("idle");
  expect(evidence.runs.flatMap(({ entries }) => entries.filter(({ entry }) => entry.type === "recovered"))).not.toEqual(
    [],
  );
  await survivor.kill();
  expect(survivor.end).toBe("SIGKILL");
});

test("a request that kills its node is lost, and so is a request to a dead node", async () => {
  const node = world.boot({ name: "run.create", phase: "before", passes: 0 });
  expect(await node.ready).toBe("ready");
  const { key, input } = world.plan("plain");
  expect(await node.ask("start", { key, input })).toEqual({ status: "lost" });
  await node.exited;
  expect(await node.ask("start", { key, input })).toEqual({ status: "lost" });
  expect(await drive(world, node)).toBe("dead");
});
