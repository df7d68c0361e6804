import type { ReactElement } from "react";

/** The place of rows that are being read. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }): ReactElement {
  return (
    <div aria-hidden className="flex flex-col gap-2">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="h-8 rounded-control bg-sunken motion-safe:animate-pulse" />
      ))}
    </div>
  );
}
