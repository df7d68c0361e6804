import { useSyncExternalStore } from "react";

const media = matchMedia("print");
let isBeforePrint = false;

function subscribe(listener: () => void): () => void {
  const before = (): void => {
    isBeforePrint = true;
    listener();
  };
  const after = (): void => {
    isBeforePrint = false;
    listener();
  };
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  media.addEventListener("change", listener);
  return () => {
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
    media.removeEventListener("change", listener);
  };
}

/** Whether the page is being printed: paper shows all rows of lists that show a part on the screen. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isBeforePrint || media.matches);
}
