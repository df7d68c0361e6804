/** A one-time signal for many listeners, like an `AbortSignal` at a fraction of its cost per listener. */
export interface Notice {
  readonly given: boolean;
  /** Calls back when the notice is given, or at once if it already was. The returned function stops listening. */
  listen(callback: () => void): () => void;
}

export interface GivableNotice extends Notice {
  give(): void;
}

export function createNotice(): GivableNotice {
  // Places are reused. A `Set` with this many additions and deletions would keep copies of its table, and the listeners
  // in them, in memory.
  const listeners: ((() => void) | undefined)[] = [];
  const freePlaces: number[] = [];
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
      const place = freePlaces.pop() ?? listeners.length;
      listeners[place] = callback;
      let listening = true;
      return () => {
        if (!listening) return;
        listening = false;
        listeners[place] = undefined;
        freePlaces.push(place);
      };
    },
    give: () => {
      if (given) return;
      given = true;
      for (const callback of listeners.splice(0)) callback?.();
    },
  };
}
