/** Limits in one unit, such as bytes or requests. */
export interface UsageLimits {
  readonly perKey: number;
  readonly perGroup: number;
  /** For all groups together. @defaultValue Infinity */
  readonly total?: number;
  /** Whether the only usage of a key may exceed `perKey`. @defaultValue false */
  readonly allowsOneLarge?: boolean;
}

/** The usage of one request. It begins at 0. */
export interface Usage {
  /** Changes the units. Returns the limit that an increase would exceed; then nothing changes. */
  set(units: number): "key" | "group" | "total" | undefined;
  /** Returns all units. Later changes have no effect. Idempotent. */
  readonly release: () => void;
}

/** Counts the usage of the requests in progress, by key and by group. A group is usually an environment. */
export function createUsageLimiter(limits: UsageLimits): (key: string, group: string) => Usage {
  const { perKey, perGroup, total = Infinity, allowsOneLarge = false } = limits;
  const ofKeys = new Map<string, number>();
  const ofGroups = new Map<string, number>();
  let ofAll = 0;
  return (key, group) => {
    let own = 0;
    let isReleased = false;
    const set: Usage["set"] = (units) => {
      const more = units - own;
      if (isReleased || more === 0) return undefined;
      const ofKey = (ofKeys.get(key) ?? 0) + more;
      const ofGroup = (ofGroups.get(group) ?? 0) + more;
      if (more > 0) {
        if (ofKey > perKey && !(allowsOneLarge && ofKey === units)) return "key";
        if (ofGroup > perGroup) return "group";
        if (ofAll + more > total) return "total";
      }
      own = units;
      if (ofKey === 0) ofKeys.delete(key);
      else ofKeys.set(key, ofKey);
      ofGroups.set(group, ofGroup);
      ofAll += more;
      return undefined;
    };
    const release = (): void => {
      set(0);
      isReleased = true;
    };
    return { set, release };
  };
}
