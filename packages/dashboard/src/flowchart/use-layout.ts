import { useEffect, useState } from "react";
import workerUrl from "./layout-worker.ts?worker&url";
import type { Layout, LayoutRequest } from "./layout.ts";

/** The only policy of the page: addresses of its own scripts. */
const policy = window.trustedTypes?.createPolicy("procedo", {
  createScriptURL: (url) => {
    if (new URL(url, document.baseURI).origin !== location.origin)
      throw new TypeError("The script is not of this site.");
    return url;
  },
});

/** The layout of a chart: `undefined` until it is known, "failed" if it cannot be made. Keep the request between renders. */
export function useLayout(request: LayoutRequest): Layout | "failed" | undefined {
  const [made, setMade] = useState<{ readonly request: LayoutRequest; readonly layout: Layout | "failed" }>();
  useEffect(() => {
    const fail = (): void => setMade({ request, layout: "failed" });
    const url = policy?.createScriptURL(workerUrl) ?? workerUrl;
    const worker = new Worker(url as string, { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Layout>) => setMade({ request, layout: data }));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      fail();
    });
    worker.addEventListener("messageerror", fail);
    worker.postMessage(request);
    return () => worker.terminate();
  }, [request]);
  return made?.request === request ? made.layout : undefined;
}
