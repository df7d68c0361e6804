import { useEffect, useState } from "react";

const settleMs = 700;

/** `false` for a moment after something opened by itself: a second press that was meant for the one before has no effect. */
export function useSettled(hasOpenedByItself: boolean): boolean {
  const [isSettled, setSettled] = useState(!hasOpenedByItself);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
