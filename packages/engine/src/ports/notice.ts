/** Something that happens once and concerns many: what an `AbortSignal` is, at a fraction of its cost per listener. */
export interface Notice {
  readonly given: boolean;
  /** Calls back when it is given; at once when it was. The returned function stops listening. */
  listen(callback: () => void): () => void;
}

export interface GivableNotice extends Notice {
  give(): void;
}

export function createNotice(): GivableNotice {
  const listeners = new Set<() => void>();
  let given = false;
  return {
    get given() {
      return given;
    },
    listen: (callback) => {
      if (given) {
        callback();
        return () => {};
      }
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
    give: () => {
      if (given) return;
      given = true;
      for (const callback of [...listeners]) callback();
      listeners.clear();
    },
  };
}
