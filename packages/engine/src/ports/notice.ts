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
  // Places are used again: a `Set` with as much coming and going leaves copies of itself behind, and what they hold with them.
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
