import type { RunHead, RunHeadQuery } from "../heads.ts";
import type { Page, PageRequest } from "../scope.ts";
import { pageByTime } from "./page.ts";
import type { MemoryRun, MemoryState } from "./state.ts";
import { sameScope } from "./state.ts";

export function heads(state: MemoryState, request: RunHeadQuery & PageRequest): Page<RunHead> {
  const { scope, endedFromMs = -Infinity, endedToMs = Infinity } = request;
  const ended = [...state.runs.values()].filter(
    (run) =>
      sameScope(run.scope, scope) &&
      run.place.kind === "ended" &&
      run.place.endedAtMs >= endedFromMs &&
      run.place.endedAtMs < endedToMs,
  );
  return pageByTime(ended, {
    ...request,
    query: ["heads", scope.workspace, scope.environment, request.endedFromMs, request.endedToMs],
    newestFirst: false,
    positionOf: (run) => [endedAtMsOf(run), run.number],
    itemOf: (run) => {
      const { seq = 0, hash = "" } = run.stub ?? run.journal.at(-1) ?? {};
      return { runId: run.runId, seq, hash, endedAtMs: endedAtMsOf(run) };
    },
  });
}

export function endedAtMsOf({ place }: MemoryRun): number {
  return place.kind === "ended" ? place.endedAtMs : 0;
}
