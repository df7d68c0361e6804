/* The part of a chart that is seen. */
import type { Place, Size } from "./layout.ts";

/** The chart's origin in the box, and the scale. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

const margin = 16;
/** Below this scale, texts cannot be read. */
const readableZoom = 0.55;

/** The whole chart in the middle of a box, not larger than its own size. */
export function wholeView(chart: Size, box: Size): View {
  const zoom = Math.min(1, (box.width - 2 * margin) / chart.width, (box.height - 2 * margin) / chart.height);
  return { x: (box.width - chart.width * zoom) / 2, y: (box.height - chart.height * zoom) / 2, zoom };
}

/** The whole chart if it can be read so. Otherwise the surroundings of a place, at a scale at which it can. */
export function firstView(chart: Size, box: Size, place: Place): View {
  const whole = wholeView(chart, box);
  if (whole.zoom >= readableZoom) return whole;
  const zoom = Math.min(1, Math.max(readableZoom, (box.width - 2 * margin) / chart.width));
  return {
    x: along(chart.width * zoom, box.width, place.x * zoom),
    y: along(chart.height * zoom, box.height, place.y * zoom),
    zoom,
  };
}

/** Puts the place into the middle of the box, as far as the chart reaches. */
function along(chart: number, box: number, place: number): number {
  if (chart <= box - 2 * margin) return (box - chart) / 2;
  return Math.min(margin, Math.max(box - chart - margin, box / 2 - place));
}
