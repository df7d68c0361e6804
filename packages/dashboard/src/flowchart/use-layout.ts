import { useEffect, useState } from "react";
import workerUrl from "./layout-worker.ts?worker&url";
import type { LayoutRequest, Place } from "./layout.ts";

/** The only policy of the page: addresses of its own scripts. */
const policy = window.trustedTypes?.createPolicy("procedo", {
  createScriptURL: (url) => {
    if (new URL(url, document.baseURI).origin !== location.origin)
      throw new TypeError("The script is not of this site.");
    return url;
  },
});

/** The places of a chart's nodes; `undefined` until they are known. Keep the request between renders. */
export function useLayout(request: LayoutRequest): Readonly<Record<string, Place>> | undefined {
  const [laidOut, setLaidOut] = useState<{
    readonly request: LayoutRequest;
    readonly places: Readonly<Record<string, Place>>;
  }>();
  useEffect(() => {
    const url = policy?.createScriptURL(workerUrl) ?? workerUrl;
    const worker = new Worker(url as string, { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Readonly<Record<string, Place>>>) => {
      setLaidOut({ request, places: data });
    });
    worker.postMessage(request);
    return () => worker.terminate();
  }, [request]);
  return laidOut?.request === request ? laidOut.places : undefined;
}
