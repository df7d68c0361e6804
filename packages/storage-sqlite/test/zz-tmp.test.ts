import { it, expect } from "vitest";
import { mkdtempSync } from "node:fs";
import { createMemoryStorage } from "@procedo/storage";
import { SqliteStorage } from "../src/index.ts";
import { createRandom } from "../../storage/src/conformance/random.ts";
import { createSteps } from "../../storage/src/conformance/random-verbs.ts";
import { createTestClock } from "../../storage/src/conformance/bench.ts";
import { dump } from "../../storage/src/conformance/dump.ts";
it("many", async () => {
  const counts: Record<string, number> = {};
  const dir = mkdtempSync("/dev/shm/zz-");
  const strip = (a: any): any => Array.isArray(a) ? a.map((o) => (o && typeof o === "object" && "error" in o ? { ...o, error: undefined } : o)) : a;
  for (let seed = 1000; seed < 1400; seed++) {
    const random = createRandom(seed), clock = createTestClock();
    const m = createMemoryStorage({ now: clock.now }), s = await SqliteStorage.open({ path: `${dir}/${seed}`, now: clock.now, pollMs: 0 });
    const mc: any[] = [], sc: any[] = []; m.watch((c) => mc.push(c)); s.watch((c) => sc.push(c));
    const next = createSteps(random, clock);
    for (let i = 0; i < 200; i++) {
      const st = next();
      const e = strip(await st.call(m)), a = strip(await st.call(s));
      expect(a, `${seed} ${i} ${st.name}`).toEqual(e);
      st.learn?.(e);
      for (const x of Array.isArray(e) ? e : [e]) { const k = st.name + ":" + (x?.status ?? (x?.runs ? "runs" + x.runs.length : typeof x === "string" ? x : typeof x)) + (x?.closed ? ":closed" : "") + (x?.claimed ? ":claimed" : ""); counts[k] = (counts[k] ?? 0) + 1; }
      clock.advance(random.integer(12));
    }
    expect(sc, `changes ${seed}`).toEqual(mc);
    expect(await dump(s)).toEqual(await dump(m));
    await s.close();
  }
  console.log(counts);
}, 600000);
