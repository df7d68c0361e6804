import { afterEach, describe, expect, it, vi } from "vitest";
import { createChangeFeed } from "./change-feed.ts";

describe("the change feed", () => {
  afterEach(() => vi.restoreAllMocks());

  it("calls a listener twice that was added twice", () => {
    const feed = createChangeFeed();
    const listener = vi.fn();
    const end = feed.watch(listener);
    feed.watch(listener);
    feed.emit({ type: "deliverable" });
    end();
    feed.emit({ type: "deliverable" });
    expect(listener).toHaveBeenCalledTimes(3);
    expect(feed.watched).toBe(true);
  });

  it("isolates the writer and other listeners from a throwing listener, and surfaces its error", () => {
    const later: (() => void)[] = [];
    vi.spyOn(globalThis, "queueMicrotask").mockImplementation((callback) => void later.push(callback));
    const feed = createChangeFeed();
    const listener = vi.fn();
    feed.watch(() => {
      throw new Error("broken listener");
    });
    feed.watch(listener);
    feed.emit({ type: "claimable" });
    expect(listener).toHaveBeenCalledWith({ type: "claimable" });
    expect(later).toHaveLength(1);
    expect(() => later[0]?.()).toThrow("broken listener");
  });
});
