import { useId, type ReactElement } from "react";
import { cx } from "../ui/cx.ts";
import type { Layout, Place } from "./layout.ts";
import type { ShownEdge } from "./shown-chart.ts";

interface ChartEdgesProps {
  readonly edges: readonly ShownEdge[];
  readonly layout: Layout;
  readonly hasRun: boolean;
}

/** The edges of a chart, with the names of branches. The outline tells them to those who do not see them. */
export function ChartEdges({ edges, layout, hasRun }: ChartEdgesProps): ReactElement {
  const id = useId();
  const arrows = { taken: `${id}-taken`, other: `${id}-other` };
  const isTaken = (edge: ShownEdge): boolean => hasRun && edge.isTaken;
  // Those that were taken lie above the others.
  const order = edges.map((edge, index) => ({ edge, index, place: layout.edges[index] }));
  order.sort((a, b) => Number(isTaken(a.edge)) - Number(isTaken(b.edge)));
  return (
    <div aria-hidden className="pointer-events-none absolute top-0 left-0">
      <svg width={layout.width} height={layout.height} className="absolute top-0 left-0 overflow-visible">
        <defs>
          <Arrow id={arrows.taken} className="fill-completed" />
          <Arrow id={arrows.other} className="fill-control" />
        </defs>
        {order.map(({ edge, index, place }) => (
          <path
            key={index}
            d={curve(place?.points ?? [])}
            markerEnd={`url(#${isTaken(edge) ? arrows.taken : arrows.other})`}
            className={cx(
              "fill-none",
              isTaken(edge) ? "stroke-completed stroke-[2.5]" : "stroke-control stroke-[1.25]",
              hasRun && !edge.isTaken && "[stroke-dasharray:4_4]",
            )}
          />
        ))}
      </svg>
      {order.map(
        ({ edge, index, place }) =>
          edge.branch !== undefined &&
          place?.label !== undefined && (
            <span
              key={index}
              style={{ transform: `translate(-50%, -50%) translate(${place.label.x}px, ${place.label.y}px)` }}
              className={cx(
                "absolute top-0 left-0 max-w-42 truncate rounded-full border bg-surface px-1.5 text-small",
                isTaken(edge) ? "border-completed font-semibold text-completed" : "border-hairline text-text-2",
              )}
            >
              {edge.branch}
            </span>
          ),
      )}
    </div>
  );
}

function Arrow({ id, className }: { readonly id: string; readonly className: string }): ReactElement {
  return (
    <marker
      id={id}
      viewBox="0 0 10 10"
      refX="9"
      refY="5"
      markerWidth="9"
      markerHeight="9"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0 0.5 10 5 0 9.5z" className={className} />
    </marker>
  );
}

/** A path through the points, which leaves each one upright. */
function curve(points: readonly Place[]): string {
  const [first, ...others] = points;
  if (first === undefined) return "";
  let from = first;
  const parts = others.map((to) => {
    const middle = (from.y + to.y) / 2;
    const part = `C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
    from = to;
    return part;
  });
  return [`M${first.x} ${first.y}`, ...parts].join(" ");
}
