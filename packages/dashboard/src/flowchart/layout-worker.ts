import { layOut, type LayoutRequest } from "./layout.ts";

/** Lays charts out beside the page, which stays responsive for charts of hundreds of nodes. */
self.addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  self.postMessage(layOut(data));
});
